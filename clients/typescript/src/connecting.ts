/** Reaching a server: channels, calls of the contract, what is tried again and after how long. */

import {
  create,
  fromBinary,
  toBinary,
  type DescMessage,
  type DescMethodBiDiStreaming,
  type DescMethodUnary,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import * as grpc from "@grpc/grpc-js";
import { sleep, SYSTEM_CLOCK, type Clock } from "./clock.js";
import { ConnectionLostError } from "./errors.js";

const MESSAGE_BYTES = 4 * 1024 * 1024;

/** How long one unary call may take. */
export const CALL_MS = 30_000;

const CHANNEL_OPTIONS: grpc.ChannelOptions = {
  // Quiet streams are pinged, less often than once in ten seconds, which is what the server allows.
  "grpc.keepalive_time_ms": 20_000,
  "grpc.keepalive_timeout_ms": 10_000,
  "grpc.max_receive_message_length": MESSAGE_BYTES,
  // Each attempt dials anew, so that only this client's own back-off delays it.
  "grpc.use_local_subchannel_pool": 1,
};

/**
 * Where a server is and how to reach it. `tlsCa` holds the PEM certificate of the authority to trust and turns TLS on.
 */
export interface Server {
  /** `HOST:PORT` */
  readonly target: string;
  readonly tlsCa?: Uint8Array;
  /** Shown, with its certificate, to a server that asks for them. */
  readonly tlsKey?: Uint8Array;
  readonly tlsCert?: Uint8Array;
  /** Further options of grpc-js. */
  readonly options?: grpc.ChannelOptions;
}

/** A server from its address `HOST:PORT`, or as it is. */
export function serverAt(target: string | Server): Server {
  return typeof target === "string" ? { target } : target;
}

/** A channel of its own, which whoever opened it closes. */
export function openChannel(server: Server): grpc.Client {
  return new grpc.Client(server.target, credentialsOf(server), { ...CHANNEL_OPTIONS, ...server.options });
}

function credentialsOf({ tlsCa, tlsKey, tlsCert }: Server): grpc.ChannelCredentials {
  if (tlsCa === undefined) return grpc.credentials.createInsecure();
  const bytes = (some: Uint8Array | undefined): Buffer | null => (some === undefined ? null : Buffer.from(some));
  return grpc.credentials.createSsl(bytes(tlsCa), bytes(tlsKey), bytes(tlsCert));
}

// --- calls of the contract ------------------------------------------------------------------------------

function pathOf(method: { readonly parent: { readonly typeName: string }; readonly name: string }): string {
  return `/${method.parent.typeName}/${method.name}`;
}

function writerOf<M extends DescMessage>(schema: M): (message: MessageShape<M>) => Buffer {
  return (message) => Buffer.from(toBinary(schema, message));
}

function readerOf<M extends DescMessage>(schema: M): (data: Buffer) => MessageShape<M> {
  return (data) => fromBinary(schema, data);
}

/** Opens a stream in both directions; whoever opened it ends or cancels it. */
export function openStream<I extends DescMessage, O extends DescMessage>(
  channel: grpc.Client,
  method: DescMethodBiDiStreaming<I, O>,
): grpc.ClientDuplexStream<MessageShape<I>, MessageShape<O>> {
  return channel.makeBidiStreamRequest(
    pathOf(method),
    writerOf(method.input),
    readerOf(method.output),
    new grpc.Metadata(),
  );
}

export interface CallOptions {
  /** The host's or the auditor's token. */
  readonly token?: string;
  readonly signal?: AbortSignal | undefined;
  readonly retry?: Retry;
}

/** Makes one unary call, again and again while the server is out of reach; rejects with the gRPC error of the call. */
export async function call<I extends DescMessage, O extends DescMessage>(
  target: string | Server,
  method: DescMethodUnary<I, O>,
  request: MessageInitShape<I>,
  { token = "", signal, retry = new Retry() }: CallOptions = {},
): Promise<MessageShape<O>> {
  const message = create(method.input, request);
  for (;;) {
    const channel = openChannel(serverAt(target));
    let lost: unknown;
    try {
      return await callOnce(channel, method, message, token, signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (!isLost(error)) throw error;
      lost = error;
    } finally {
      channel.close();
    }
    await retry.wait(lost, {}, signal);
  }
}

function callOnce<I extends DescMessage, O extends DescMessage>(
  channel: grpc.Client,
  method: DescMethodUnary<I, O>,
  message: MessageShape<I>,
  token: string,
  signal: AbortSignal | undefined,
): Promise<MessageShape<O>> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const metadata = new grpc.Metadata();
    if (token) metadata.set("authorization", `Bearer ${token}`);
    const cancel = (): void => made.cancel();
    const made = channel.makeUnaryRequest(
      pathOf(method),
      writerOf(method.input),
      readerOf(method.output),
      message,
      metadata,
      { deadline: Date.now() + CALL_MS },
      (error, response) => {
        signal?.removeEventListener("abort", cancel);
        if (error !== null) reject(error);
        else resolve(response as MessageShape<O>);
      },
    );
    signal?.addEventListener("abort", cancel, { once: true });
  });
}

// --- trying again ---------------------------------------------------------------------------------------

const FINAL: ReadonlySet<grpc.status> = new Set([
  grpc.status.INVALID_ARGUMENT,
  grpc.status.NOT_FOUND,
  grpc.status.ALREADY_EXISTS,
  grpc.status.PERMISSION_DENIED,
  grpc.status.UNAUTHENTICATED,
  grpc.status.FAILED_PRECONDITION,
  grpc.status.OUT_OF_RANGE,
  grpc.status.UNIMPLEMENTED,
]);

/** The gRPC status that an error carries, if it does. */
export function statusOf(error: unknown): grpc.status | undefined {
  const isGrpc = error instanceof Error && "code" in error && "details" in error && "metadata" in error;
  return isGrpc ? (error as grpc.ServiceError).code : undefined;
}

/** Whether the server was away or busy, and not unwilling: the same may go better later. */
export function isLost(error: unknown): boolean {
  const status = statusOf(error);
  return status !== undefined && !FINAL.has(status);
}

/**
 * How long to wait before trying again: doubling from `firstMs` to `mostMs`, a part of it at random. After `tries`
 * attempts in a row to which the server did not answer it is given up.
 */
export interface Backoff {
  readonly firstMs: number;
  readonly mostMs: number;
  readonly tries: number;
}

export const DEFAULT_BACKOFF: Backoff = { firstMs: 100, mostMs: 5000, tries: 30 };

/** Counts failures and waits after them. */
export class Retry {
  #failures = 0;
  #unanswered = 0;

  constructor(
    private readonly backoff: Backoff = DEFAULT_BACKOFF,
    private readonly clock: Clock = SYSTEM_CLOCK,
  ) {}

  /** The same way of trying again, for another call. */
  anew(): Retry {
    return new Retry(this.backoff, this.clock);
  }

  /**
   * Waits after a failure; rejects with ConnectionLostError when it is given up.
   *
   * `heard` says that the server answered before, `moved` that something new happened: a server that only ends every
   * stream at once is tried ever more slowly, and one that does not answer is given up.
   */
  async wait(lost: unknown, { heard = false, moved = false } = {}, signal?: AbortSignal): Promise<void> {
    this.#failures = moved ? 1 : this.#failures + 1;
    this.#unanswered = heard ? 1 : this.#unanswered + 1;
    const { tries } = this.backoff;
    if (this.#unanswered > tries) {
      throw new ConnectionLostError(`given up after ${tries} attempts without an answer`, { cause: lost });
    }
    await sleep(this.clock, this.delayMs(this.#failures), signal);
  }

  /** Waits as after a first failure. */
  async pause(signal?: AbortSignal): Promise<void> {
    await sleep(this.clock, this.delayMs(1), signal);
  }

  private delayMs(failures: number): number {
    const longest = Math.min(this.backoff.mostMs, this.backoff.firstMs * 2 ** Math.min(failures - 1, 30));
    return longest * (0.5 + Math.random() / 2);
  }
}
