/** The example bot; docs/client-typescript.md says how to run it. */

import { runBots } from "../src/index.js";
import { conformance } from "./conformance.js";
import { plain } from "./plain.js";

process.exitCode = await runBots({ plain, conformance });
