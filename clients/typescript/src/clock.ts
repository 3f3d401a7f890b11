/** Time as a session uses it, passed in so that tests need not wait. */

export interface Clock {
  /** Milliseconds, from any beginning. */
  now(): number;
  /** Does something after so many milliseconds, unless the function that is returned is called before. */
  after(ms: number, action: () => void): () => void;
}

/** The machine's own time. */
export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  after(ms, action) {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
};

/** Waits; rejects with the signal's reason as soon as it is aborted. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = (): void => {
      cancel();
      reject(signal?.reason as Error);
    };
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener("abort", stop);
      resolve();
    });
    signal?.addEventListener("abort", stop, { once: true });
  });
}
