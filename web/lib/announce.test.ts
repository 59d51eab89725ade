import { expect, test } from "vitest";
import { announce, onAnnouncement } from "./announce.ts";

test("shows an announcement that was made before a listener registered, and only once", () => {
  announce("Saved");
  const first: string[] = [];
  const stop = onAnnouncement(({ message }) => first.push(message));
  announce("Removed");
  expect(first).toEqual(["Saved", "Removed"]);
  stop();
  announce("Added");
  const second: string[] = [];
  onAnnouncement(({ message }) => second.push(message))();
  expect(second).toEqual(["Added"]);
});
