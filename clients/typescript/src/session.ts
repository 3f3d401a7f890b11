/** A bot plays one or many tables over one bidirectional stream, resuming when the connection is lost. */

import { create } from "@bufbuild/protobuf";
import type * as grpc from "@grpc/grpc-js";
import {
  PlayRequestSchema,
  StreamEndReason,
  TableService,
  type PlayRequest,
  type PlayRequestItem,
  type PlayResponse,
  type PlayResponseItem,
} from "./contract.js";
import { SYSTEM_CLOCK, type Clock } from "./clock.js";
import {
  DEFAULT_BACKOFF,
  isLost,
  openChannel,
  openStream,
  Retry,
  serverAt,
  type Backoff,
  type Server,
} from "./connecting.js";
import type { Action, Bot, Decision } from "./decision.js";
import { Gap } from "./errors.js";
import { Follower, freshRequestIds, type OnHandOver, type OnRefused, type Outcome, type Played } from "./follower.js";
import { leaveIfSeated, revealSeed, type Seat } from "./tables.js";

const ITEMS_IN_A_MESSAGE = 1024;

/** How long a stream that has ended may take to close. */
const CLOSING_MS = 1000;

/** A stream on which nothing came for so long, three of the server's heartbeats, is taken for lost. */
export const DEFAULT_SILENCE_MS = 30_000;

export interface PlayOptions {
  /** Leave a table after so many hands; 0 stays to the end. */
  readonly hands?: number;
  /** How many tables may ask at once; the clocks of further ones stand still. */
  readonly maxOpenDecisions?: number;
  /** How often a refused bot is asked again before its decision is answered for it. */
  readonly maxRefusals?: number;
  readonly onRefused?: OnRefused;
  readonly onHandOver?: OnHandOver;
  /** Hears of each lost connection, with the error if there was one. */
  readonly onLost?: (error: unknown) => void;
  readonly backoff?: Partial<Backoff>;
  /** After how long a silence the stream is taken for lost. */
  readonly silenceMs?: number;
  /** Ends the stream; the seats stay taken. */
  readonly signal?: AbortSignal;
  /** The time, for tests. */
  readonly clock?: Clock;
}

type Stream = grpc.ClientDuplexStream<PlayRequest, PlayResponse>;

/** Plays seats over one stream until each has ended; see `play`. */
export class Session {
  readonly #server: Server;
  readonly #retry: Retry;
  readonly #clock: Clock;
  readonly #followers: ReadonlyMap<string, Follower>;
  readonly #seats: ReadonlyMap<string, Seat>;
  readonly #interrupted = new Set<string>();
  readonly #leaving = new Set<string>();
  readonly #stopped = new AbortController();
  #outbox: PlayRequestItem[] = [];
  #stream: Stream | undefined;
  #isFlushDue = false;
  #fail: (error: unknown) => void = () => undefined;

  constructor(
    target: string | Server,
    private readonly bot: Bot,
    seats: readonly Seat[],
    private readonly options: PlayOptions = {},
  ) {
    this.#server = serverAt(target);
    this.#clock = options.clock ?? SYSTEM_CLOCK;
    this.#retry = new Retry({ ...DEFAULT_BACKOFF, ...options.backoff }, this.#clock);
    const requestId = freshRequestIds();
    const { maxRefusals, onRefused, onHandOver } = options;
    const now = (): number => this.#clock.now();
    this.#followers = new Map(
      seats.map(({ tableId, seatToken, hand, seed }) => [
        tableId,
        new Follower(tableId, seatToken, { now, requestId, maxRefusals, onRefused, onHandOver, firstHand: hand, seed }),
      ]),
    );
    this.#seats = new Map(seats.map((seat) => [seat.tableId, seat]));
    if (this.#seats.size !== seats.length)
      throw new RangeError("one stream plays one seat of a table; use a session for each seat");
  }

  /** What the play has come to so far, in the order of the seats. */
  get played(): Played[] {
    return [...this.#followers.values()].map((follower) => follower.played);
  }

  /**
   * Plays until every seat has ended, and says how it went.
   *
   * Rejects with what the bot raises; with the reason of an aborted signal; with ConnectionLostError when the server
   * stays away, BrokenStreamError when it does not keep to the contract, RuleSetError for rules that this version does
   * not have; with the gRPC error of a call that would not go better later. A session runs once.
   */
  async run(): Promise<Played[]> {
    const { signal } = this.options;
    const stop = (): void => this.#stopped.abort(signal?.reason);
    signal?.throwIfAborted();
    signal?.addEventListener("abort", stop, { once: true });
    const failed = new Promise<never>((_, reject) => (this.#fail = reject));
    failed.catch(() => undefined); // it may never be waited for
    this.#stopped.signal.addEventListener("abort", () => this.#fail(this.#stopped.signal.reason), { once: true });
    try {
      while (this.playing().length) {
        const before = this.received();
        const lost = await this.connection(failed);
        if (!this.playing().length) break;
        this.options.onLost?.(lost);
        const now = this.received();
        const progress = { heard: now.snapshots > before.snapshots, moved: now.events > before.events };
        await Promise.race([this.#retry.wait(lost, progress, this.#stopped.signal), failed]);
      }
      return this.played;
    } finally {
      signal?.removeEventListener("abort", stop);
      this.#stopped.abort(new DOMException("the play is over", "AbortError"));
    }
  }

  private playing(): Follower[] {
    return [...this.#followers.values()].filter((follower) => !follower.over);
  }

  private received(): { snapshots: number; events: number } {
    const all = [...this.#followers.values()];
    return {
      snapshots: all.reduce((sum, follower) => sum + follower.snapshots, 0),
      events: all.reduce((sum, follower) => sum + follower.events, 0),
    };
  }

  // --- one connection -----------------------------------------------------------------------------------

  /**
   * Plays over one stream until it ends and resolves with how; rejects only with what no further attempt would mend.
   */
  private async connection(failed: Promise<never>): Promise<unknown> {
    const channel = openChannel(this.#server);
    const stream = openStream(channel, TableService.method.play);
    this.#stream = stream;
    this.#interrupted.clear();
    this.#outbox = this.playing().map((follower) => follower.attach());
    try {
      const ended = this.read(stream);
      this.flush(this.options.maxOpenDecisions ?? 1);
      await Promise.race([ended, failed]);
      return undefined;
    } catch (error) {
      if (error instanceof Gap || isLost(error)) return error;
      throw error;
    } finally {
      this.#stream = undefined;
      stream.cancel();
      channel.close();
    }
  }

  /** Takes what comes until nothing more does; rejects with how the stream was lost. */
  private read(stream: Stream): Promise<void> {
    return new Promise((resolve, reject) => {
      const silenceMs = this.options.silenceMs ?? DEFAULT_SILENCE_MS;
      const tooQuiet = (): void => done(() => reject(new Gap(`nothing came for ${silenceMs} ms`)));
      let cancelTimer = this.#clock.after(silenceMs, tooQuiet);
      let isDone = false;
      const done = (settle: () => void): void => {
        isDone = true;
        cancelTimer();
        settle();
      };
      stream.on("data", (response: PlayResponse) => {
        if (isDone || stream !== this.#stream) return;
        cancelTimer();
        cancelTimer = this.#clock.after(silenceMs, tooQuiet);
        try {
          if (this.take(response)) return;
          if (this.playing().length) done(resolve);
          else this.closeGently(stream);
        } catch (error) {
          done(() => reject(error as Error));
        }
      });
      stream.on("error", (error) => done(() => reject(error)));
      stream.on("end", () => setImmediate(() => done(resolve))); // unless an error says why
    });
  }

  /** Lets a stream that has nothing more to say close by itself, which leaves less behind than a cancellation. */
  private closeGently(stream: Stream): void {
    if (stream.writableEnded) return;
    const cancelTimer = this.#clock.after(CLOSING_MS, () => stream.cancel());
    stream.once("end", cancelTimer);
    stream.once("error", cancelTimer);
    stream.end();
  }

  /** Takes one message; says whether more may come on this stream. */
  private take(response: PlayResponse): boolean {
    for (const item of response.items) {
      for (const follower of this.concerned(item)) {
        for (const outcome of follower.receive(item)) this.do(follower, outcome);
        if (this.options.hands && follower.played.hands >= this.options.hands) this.leave(follower);
      }
    }
    const playing = this.playing();
    if (playing.every((follower) => this.#interrupted.has(follower.tableId))) return false;
    this.flush();
    return true;
  }

  /** The tables that an item is about: without a table's id the whole stream, of which only an end matters. */
  private concerned(item: PlayResponseItem): Follower[] {
    if (!item.tableId) return item.item.case === "end" ? this.playing() : [];
    const follower = this.#followers.get(item.tableId);
    return follower === undefined || follower.over || this.#interrupted.has(item.tableId) ? [] : [follower];
  }

  private do(follower: Follower, outcome: Outcome): void {
    switch (outcome.type) {
      case "ask":
        this.ask(follower, outcome.decision);
        break;
      case "send":
        this.#outbox.push(follower.proposing(outcome.propose));
        break;
      case "reveal":
        this.task(revealSeed(this.#server, this.seatOf(follower), outcome.seed, this.callOptions()));
        break;
      case "interrupted":
        this.#interrupted.add(follower.tableId);
        this.task(this.attachAgain(follower, this.#stream));
        break;
      case "ended":
        break;
    }
  }

  /** Sends all that is ready, in as few messages as may be. Nothing is lost with a connection: it is resumed. */
  private flush(maxOpenDecisions = 0): void {
    const stream = this.#stream;
    while (this.#outbox.length && stream !== undefined && !stream.writableEnded) {
      const items = this.#outbox.splice(0, ITEMS_IN_A_MESSAGE);
      stream.write(create(PlayRequestSchema, { items, maxOpenDecisions }));
    }
  }

  /** Sends what is ready once everything else that is ready now has been done, so that it goes out in one message. */
  private flushSoon(): void {
    if (this.#isFlushDue) return;
    this.#isFlushDue = true;
    setImmediate(() => {
      this.#isFlushDue = false;
      this.flush();
    });
  }

  // --- asking the bot -----------------------------------------------------------------------------------

  private ask(follower: Follower, decision: Decision): void {
    if (this.#leaving.has(follower.tableId)) return;
    const answer = this.bot(decision, this.#stopped.signal);
    if (answer instanceof Promise) {
      this.task(answer.then((action) => this.answer(follower, decision, action)));
    } else {
      this.answer(follower, decision, answer);
    }
  }

  private answer(follower: Follower, decision: Decision, action: Action): void {
    const propose = follower.answer(decision, action);
    if (propose === undefined || follower.over || this.#interrupted.has(follower.tableId)) return;
    this.#outbox.push(follower.proposing(propose));
    this.flushSoon();
  }

  /** What fails in the background fails the play. */
  private task(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      if (!this.#stopped.signal.aborted) this.#fail(error);
    });
  }

  // --- leaving and coming back --------------------------------------------------------------------------

  /** Attaches one table again on a stream that goes on for others, after a while. */
  private async attachAgain(follower: Follower, stream: Stream | undefined): Promise<void> {
    await this.#retry.pause(this.#stopped.signal);
    if (stream !== this.#stream || !this.#interrupted.delete(follower.tableId)) return;
    this.#outbox.push(follower.attach());
    this.flush();
  }

  private leave(follower: Follower): void {
    if (follower.over || this.#leaving.has(follower.tableId)) return;
    this.#leaving.add(follower.tableId);
    this.task(this.leaveNow(follower));
  }

  private async leaveNow(follower: Follower): Promise<void> {
    await leaveIfSeated(this.#server, this.seatOf(follower), this.callOptions());
    follower.end(StreamEndReason.DETACHED);
    this.#outbox.push(follower.detach());
    this.flush();
    if (!this.playing().length && this.#stream !== undefined) this.closeGently(this.#stream);
  }

  private seatOf(follower: Follower): Seat {
    return this.#seats.get(follower.tableId) as Seat;
  }

  private callOptions(): { signal: AbortSignal; retry: Retry } {
    return { signal: this.#stopped.signal, retry: this.#retry.anew() };
  }
}

/**
 * Plays one or many tables over one stream until each has ended, resuming when the connection is lost.
 *
 * `seats` are of different tables. A refused bot is asked again `maxRefusals` times, then the decision is answered with
 * check, else fold, else a discard of the cards dealt last. Rejects as `Session.run` does.
 */
export function play(
  target: string | Server,
  bot: Bot,
  seats: readonly Seat[],
  options: PlayOptions = {},
): Promise<Played[]> {
  return new Session(target, bot, seats, options).run();
}
