/**
 * A server that plays a script for each stream that is opened, over real connections; it ends the stream after the
 * client.
 */

import {
  create,
  fromBinary,
  toBinary,
  type DescMessage,
  type DescService,
  type MessageInitShape,
} from "@bufbuild/protobuf";
import * as grpc from "@grpc/grpc-js";
import {
  LogService,
  PlayResponseSchema,
  TableService,
  type Attach,
  type PlayRequest,
  type PlayRequestItem,
  type PlayResponse,
  type PlayResponseItem,
  type Propose,
} from "../src/contract.js";
import type { Clock } from "../src/index.js";

const SERVICES: readonly DescService[] = [TableService, LogService];
const METHODS = SERVICES.flatMap((service) => service.methods);

type Script = (stream: ScriptedStream) => Promise<void>;

/** Answers unary calls by name; what has no answer is refused as not implemented. */
type Unary = Readonly<Record<string, (request: never, metadata: grpc.Metadata) => MessageInitShape<DescMessage>>>;

/** How long a script and a client may wait for one another, which both do for ever when one of them is wrong. */
const PATIENCE_MS = 20_000;

/**
 * Runs a test against scripts, one for each stream in turn; a script that fails, or is not played to its end, fails the
 * test.
 */
export async function scripted(
  scripts: readonly Script[],
  test: (target: string, server: ScriptedServer) => Promise<void>,
  unary: Unary = {},
): Promise<void> {
  const server = new ScriptedServer(scripts, unary);
  try {
    const target = await server.listen();
    await Promise.race([test(target, server).then(() => server.finished()), server.failed]);
  } finally {
    server.close();
  }
}

export class ScriptedServer {
  streams = 0;
  readonly failed: Promise<never>;
  readonly #grpc = new grpc.Server();
  readonly #running: Promise<void>[] = [];
  readonly #patience: NodeJS.Timeout;
  #fail: (error: unknown) => void = () => undefined;

  constructor(
    private readonly scripts: readonly Script[],
    unary: Unary,
  ) {
    this.failed = new Promise((_, reject) => (this.#fail = reject));
    this.failed.catch(() => undefined);
    this.#patience = setTimeout(() => this.#fail(new Error("script and client wait for one another")), PATIENCE_MS);
    const handlers: grpc.UntypedServiceImplementation = { play: this.play };
    for (const [name, answer] of Object.entries(unary)) {
      const method = METHODS.find((one) => one.localName === name);
      if (method === undefined) throw new Error(`no method ${name}`);
      const handler: grpc.handleUnaryCall<any, unknown> = (call, done) => {
        try {
          done(null, create(method.output, answer(call.request as never, call.metadata)));
        } catch (error) {
          done(error as grpc.ServiceError);
        }
      };
      handlers[name] = handler;
    }
    for (const service of SERVICES) this.#grpc.addService(definitionOf(service), handlers);
  }

  listen(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#grpc.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
        if (error) reject(error);
        else resolve(`127.0.0.1:${port}`);
      });
    });
  }

  close(): void {
    clearTimeout(this.#patience);
    this.#grpc.forceShutdown();
  }

  /** Settles when every script was played to its end; rejects when there were fewer streams. */
  async finished(): Promise<void> {
    if (this.streams !== this.scripts.length)
      throw new Error(`${this.streams} streams for ${this.scripts.length} scripts`);
    await Promise.all(this.#running);
  }

  private readonly play = (call: grpc.ServerDuplexStream<PlayRequest, PlayResponse>): void => {
    const script = this.scripts[this.streams];
    this.streams += 1;
    const stream = new ScriptedStream(call);
    if (script === undefined) {
      this.#fail(new Error("more streams than scripts"));
      return;
    }
    const run = async (): Promise<void> => {
      await script(stream);
      await stream.left;
      stream.checkAllWasRead();
      stream.end();
    };
    const running = run();
    running.catch((error: unknown) => this.#fail(error));
    this.#running.push(running);
  };
}

/** One stream as its script sees it. */
export class ScriptedStream {
  readonly #requests: PlayRequest[] = [];
  #waiting: ((request: PlayRequest) => void) | undefined;
  #isOver = false;
  /** Settles when the client has nothing more to say, or is gone. */
  readonly left: Promise<void>;

  constructor(private readonly call: grpc.ServerDuplexStream<PlayRequest, PlayResponse>) {
    call.on("data", (request: PlayRequest) => {
      const waiting = this.#waiting;
      this.#waiting = undefined;
      if (waiting === undefined) this.#requests.push(request);
      else waiting(request);
    });
    call.on("error", () => undefined);
    this.left = new Promise((resolve) => {
      call.on("end", resolve);
      call.on("cancelled", () => resolve());
    });
  }

  /** The next message of the client. */
  request(): Promise<PlayRequest> {
    const next = this.#requests.shift();
    return next === undefined ? new Promise((resolve) => (this.#waiting = resolve)) : Promise.resolve(next);
  }

  checkAllWasRead(): void {
    const items = this.#requests.flatMap((request) => request.items.map((item) => item.item.case));
    if (items.length) throw new Error(`the client also said ${items.join()}`);
  }

  /** The client's next message, all of whose items are of this kind. */
  private async items(kind: string): Promise<PlayRequestItem[]> {
    const { items } = await this.request();
    const others = items.filter((item) => item.item.case !== kind);
    if (others.length) throw new Error(`expected ${kind}, got ${others.map((item) => item.item.case).join()}`);
    return items;
  }

  async attached(): Promise<Attach[]> {
    return (await this.items("attach")).map((item) => item.item.value as Attach);
  }

  async proposed(): Promise<Propose[]> {
    return (await this.items("propose")).map((item) => item.item.value as Propose);
  }

  /** The one proposal of the client's next message. */
  async answer(): Promise<Propose> {
    const [propose, ...more] = await this.proposed();
    if (propose === undefined || more.length) throw new Error("expected one proposal");
    return propose;
  }

  say(...items: PlayResponseItem[]): void {
    this.write(create(PlayResponseSchema, { items }));
  }

  write(response: PlayResponse): void {
    this.call.write(response);
  }

  /** Ends the stream as if all had been said. */
  end(): void {
    if (!this.#isOver) this.call.end();
    this.#isOver = true;
  }

  /** Whether the client, which has left, broke the stream off and did not wait for its end. */
  async wasCancelled(): Promise<boolean> {
    await this.left;
    await new Promise(setImmediate);
    return this.call.cancelled;
  }

  /** Breaks the stream off with a status. */
  cut(code: grpc.status = grpc.status.UNAVAILABLE): void {
    this.#isOver = true;
    this.call.emit("error", { code, details: "cut by the script" });
  }
}

function definitionOf(service: DescService): grpc.ServiceDefinition {
  const definition: Record<string, grpc.MethodDefinition<unknown, unknown>> = {};
  for (const { name, localName, input, output, methodKind } of service.methods) {
    definition[localName] = {
      path: `/${service.typeName}/${name}`,
      requestStream: methodKind === "client_streaming" || methodKind === "bidi_streaming",
      responseStream: methodKind === "server_streaming" || methodKind === "bidi_streaming",
      requestSerialize: (message) => Buffer.from(toBinary(input, message as never)),
      requestDeserialize: (data) => fromBinary(input, data),
      responseSerialize: (message) => Buffer.from(toBinary(output, message as never)),
      responseDeserialize: (data) => fromBinary(output, data),
    };
  }
  return definition;
}

/** Time that passes when a test says so; waits below a second, such as those before reconnecting, pass at once. */
export class ManualClock implements Clock {
  #now = 0;
  readonly #timers = new Set<{ readonly at: number; readonly action: () => void }>();

  now(): number {
    return this.#now;
  }

  after(ms: number, action: () => void): () => void {
    if (ms < 1000) {
      const soon = setImmediate(action);
      return () => clearImmediate(soon);
    }
    const timer = { at: this.#now + ms, action };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  advance(ms: number): void {
    this.#now += ms;
    for (const timer of [...this.#timers]) {
      if (timer.at <= this.#now && this.#timers.delete(timer)) timer.action();
    }
  }
}
