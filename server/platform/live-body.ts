import { type OpenSink, type Reader, streamBuffer } from "./live-watcher.ts";

/** A watcher's bytes as the body of a response, where there is no connection to write to. */
export const bodyOfSink = (open: (openSink: OpenSink) => void): ReadableStream<Uint8Array> => {
  let reader: Reader | undefined;
  const openOn =
    (controller: ReadableStreamDefaultController<Uint8Array>): OpenSink =>
    (by) => {
      reader = by;
      return {
        hasRoom: () => (controller.desiredSize ?? 0) > 0,
        write: (bytes) => controller.enqueue(bytes),
        end: () => controller.close(),
        cut: () => controller.error(new Error("nobody reads this stream")),
      };
    };
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => open(openOn(controller)),
      pull: () => reader?.drained(),
      cancel: () => reader?.gone(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: streamBuffer }),
  );
};
