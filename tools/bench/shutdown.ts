import { signUpForm } from "#tests/support/factories.ts";
import { startServer } from "#tests/support/server-process.ts";
import { type Figure, time } from "./measure.ts";
import { folderOnDisk } from "./server-fixture.ts";

/** Measures the seconds from SIGTERM to the end of a server that has its own PostgreSQL and an open event stream. */
export async function shutdown(): Promise<Figure[]> {
  const folder = await folderOnDisk();
  const server = await startServer({ DATA_DIR: folder.path });
  const signUp = await fetch(`${server.url}/rpc/account/signUp`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-csrf-token": "orpc" },
    body: JSON.stringify({ json: signUpForm() }),
  });
  const cookie = signUp.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ");
  const stream = await fetch(`${server.url}/live?topics=account`, { headers: { cookie } });
  if (!stream.ok) throw new Error("the stream was refused");
  const value = (await time(() => server.stop())) / 1000;
  await folder.remove();
  return [
    {
      name: "SIGTERM to exit, s",
      value,
      limit: "under 5",
      holds: value < 5,
      detail: "with a stream and its PostgreSQL",
    },
  ];
}
