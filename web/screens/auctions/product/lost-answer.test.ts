import { expect, test, vi } from "vitest";
import { answerOrRecord, lookAtReturns } from "./lost-answer.ts";

/** Returns that the test brings about. */
function returns() {
  const listeners = new Set<() => void>();
  return {
    listeners,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    happen: () => listeners.forEach((listener) => listener()),
  };
}

const never = new Promise<string>(() => {});

test("a request that is never answered ends with what the server has recorded", async () => {
  const { subscribe, happen } = returns();
  const answer = answerOrRecord(never, async () => "placed", subscribe);
  happen();
  expect(await answer).toBe("placed");
});

test("a return that finds nothing leaves the request to its answer, and is not listened to after it", async () => {
  const { subscribe, happen, listeners } = returns();
  const request = Promise.withResolvers<string>();
  const looks = [() => Promise.resolve(null), () => Promise.reject(new Error("no connection"))];
  const answer = answerOrRecord(request.promise, () => looks.shift()?.() ?? Promise.resolve(null), subscribe);
  happen();
  happen();
  request.resolve("answered");
  expect(await answer).toBe("answered");
  expect(listeners.size).toBe(0);
});

test("a failure is passed on", async () => {
  const { subscribe } = returns();
  const failed = answerOrRecord(Promise.reject(new Error("refused")), async () => "placed", subscribe);
  await expect(failed).rejects.toThrow("refused");
});

test("a lost outcome is looked for until the server answers, and told once", async () => {
  const { subscribe, happen, listeners } = returns();
  const onOutcome = vi.fn<(record: string | null) => void>();
  const looks = [() => Promise.reject(new Error("no connection")), () => Promise.resolve("placed")];
  const look = vi.fn(() => looks.shift()?.() ?? Promise.resolve(null));
  lookAtReturns(look, () => true, onOutcome, subscribe);
  happen();
  await vi.waitFor(() => expect(look).toHaveBeenCalledTimes(1));
  expect(onOutcome).not.toHaveBeenCalled();
  happen();
  happen();
  await vi.waitFor(() => expect(onOutcome).toHaveBeenCalledWith("placed"));
  expect(onOutcome).toHaveBeenCalledTimes(1);
  expect(listeners.size).toBe(0);
});

test("nobody looks for an outcome that a retry has brought", async () => {
  const { subscribe, happen, listeners } = returns();
  const look = vi.fn(async () => "placed");
  lookAtReturns(
    look,
    () => false,
    () => expect.fail("it was known"),
    subscribe,
  );
  happen();
  await vi.waitFor(() => expect(listeners.size).toBe(0));
  expect(look).not.toHaveBeenCalled();
});
