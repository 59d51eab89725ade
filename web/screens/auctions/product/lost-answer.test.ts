import { expect, test, vi } from "vitest";
import { answerOrRecord, fetchRecordOnReturn } from "./lost-answer.ts";

/** Simulates returns to the page. */
function simulateReturns() {
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

test("resolves a request that is never answered to the server's record", async () => {
  const { subscribe, happen } = simulateReturns();
  const answer = answerOrRecord(never, async () => "placed", subscribe);
  happen();
  expect(await answer).toBe("placed");
});

test("waits for the answer if a return finds no record, and then stops listening", async () => {
  const { subscribe, happen, listeners } = simulateReturns();
  const request = Promise.withResolvers<string>();
  const looks = [() => Promise.resolve(null), () => Promise.reject(new Error("no connection"))];
  const answer = answerOrRecord(request.promise, () => looks.shift()?.() ?? Promise.resolve(null), subscribe);
  happen();
  happen();
  request.resolve("answered");
  expect(await answer).toBe("answered");
  expect(listeners.size).toBe(0);
});

test("passes on a failure", async () => {
  const { subscribe } = simulateReturns();
  const failed = answerOrRecord(Promise.reject(new Error("refused")), async () => "placed", subscribe);
  await expect(failed).rejects.toThrow("refused");
});

test("looks for a lost outcome until the server answers, and reports it once", async () => {
  const { subscribe, happen, listeners } = simulateReturns();
  const onOutcome = vi.fn<(record: string | null) => void>();
  const looks = [() => Promise.reject(new Error("no connection")), () => Promise.resolve("placed")];
  const look = vi.fn(() => looks.shift()?.() ?? Promise.resolve(null));
  fetchRecordOnReturn(look, () => true, onOutcome, subscribe);
  happen();
  await vi.waitFor(() => expect(look).toHaveBeenCalledTimes(1));
  expect(onOutcome).not.toHaveBeenCalled();
  happen();
  happen();
  await vi.waitFor(() => expect(onOutcome).toHaveBeenCalledWith("placed"));
  expect(onOutcome).toHaveBeenCalledTimes(1);
  expect(listeners.size).toBe(0);
});

test("doesn't look for an outcome that a retry has brought", async () => {
  const { subscribe, happen, listeners } = simulateReturns();
  const look = vi.fn(async () => "placed");
  fetchRecordOnReturn(
    look,
    () => false,
    () => expect.fail("it was known"),
    subscribe,
  );
  happen();
  await vi.waitFor(() => expect(listeners.size).toBe(0));
  expect(look).not.toHaveBeenCalled();
});
