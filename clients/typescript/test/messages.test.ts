import assert from "node:assert/strict";
import { test } from "node:test";
import { fromBinary, fromJson, toBinary, toJson, type DescMessage, type JsonValue } from "@bufbuild/protobuf";
import * as contract from "../src/contract.js";
import { toNumber } from "../src/numbers.js";
import { bytes, read } from "./vectors.js";

interface Messages {
  readonly messages: readonly {
    readonly name: string;
    readonly type: string;
    readonly bytes: string;
    readonly known: string;
    readonly json: JsonValue;
  }[];
}

const { messages } = read<Messages>("messages.json");

function schemaOf(type: string): DescMessage {
  const found = Object.values(contract).find(
    (one) => typeof one === "object" && "kind" in one && one.kind === "message" && one.typeName === type,
  );
  assert.ok(found, `no message ${type}`);
  return found as DescMessage;
}

test("vectors: every message is read, is the canonical JSON, and is written again", () => {
  assert.ok(messages.length);
  for (const { name, type, json, ...vector } of messages) {
    const schema = schemaOf(type);
    const message = fromBinary(schema, bytes(vector.bytes));
    assert.deepEqual(toJson(schema, message), json, name);
    assert.deepEqual(
      Buffer.from(toBinary(schema, message, { writeUnknownFields: false })).toString("hex"),
      vector.known,
      name,
    );
    const same = toBinary(schema, fromJson(schema, json), { writeUnknownFields: false });
    assert.equal(Buffer.from(same).toString("hex"), vector.known, name);
  }
});

test("an int64 is read as the same number up to 2^53, and refused beyond", () => {
  for (const value of [0n, -1n, 2n ** 53n - 1n, 2n ** 53n]) assert.equal(BigInt(toNumber(value)), value);
  for (const value of [2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 53n) - 1n])
    assert.throws(() => toNumber(value), /beyond 2\^53/);
});
