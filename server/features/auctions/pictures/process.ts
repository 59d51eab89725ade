import { DamagedPicture, makePicture } from "./make-picture.ts";
import { type Result, type Task, task } from "./messages.ts";

/** The process in which strangers' pictures are decoded: it knows no secret, and ends with the one that began it. */
async function work({ number, draft }: Task): Promise<Result> {
  try {
    return { kind: "made", number, ...(await makePicture(draft)) };
  } catch (error) {
    if (error instanceof DamagedPicture) return { kind: "damaged", number };
    return { kind: "failed", number, message: String(error) };
  }
}

process.on("message", (message) => {
  void work(task.parse(message)).then((result) => process.send?.(result));
});
process.on("disconnect", () => process.exit());
// Ctrl-C goes to the whole group: the server lets what is under way finish.
process.on("SIGINT", () => {});
