import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { freePort } from "#tests/support/server-process.ts";

/** `later` refuses temporarily (451); `drop` accepts a whole mail and closes the connection before it answers. */
type Mode = "take" | "refuse" | "hang" | "later" | "drop";

/**
 * Opens a mail server that fails on demand. `mails` counts how often it has accepted each mail, by Message-ID, with its
 * recipient.
 */
export async function openMailServer() {
  let mode: Mode = "take";
  const mails = new Map<string, { to: string; times: number }>();
  const open = new Set<Socket>();

  async function serve(socket: Socket): Promise<void> {
    const say = (line: string) => void socket.write(`${line}\r\n`);
    let to = "";
    let head: string[] | null = null;
    say("220 mail.example");
    for await (const line of createInterface({ input: socket })) {
      if (head !== null) {
        if (line !== ".") {
          head.push(line);
          continue;
        }
        if (mode === "hang") return;
        const id = head.find((each) => /^message-id:/i.test(each)) ?? "no id";
        mails.set(id, { to, times: (mails.get(id)?.times ?? 0) + 1 });
        head = null;
        if (mode === "drop") return void socket.resetAndDestroy();
        say("250 taken");
      } else if (mode === "hang") return;
      else if (/^mail from/i.test(line)) say(mode === "later" ? "451 not now" : "250 fine");
      else if (/^rcpt to/i.test(line)) {
        to = /<([^>]*)>/.exec(line)?.[1] ?? "";
        say("250 fine");
      } else if (/^data/i.test(line)) {
        head = [];
        say("354 go on");
      } else if (/^quit/i.test(line)) {
        say("221 bye");
        socket.end();
      } else say("250 fine");
    }
  }

  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => open.delete(socket));
    if (mode === "refuse") socket.resetAndDestroy();
    else if (mode !== "hang") serve(socket).catch(() => {});
  });
  const port = await freePort();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails: mails as ReadonlyMap<string, { to: string; times: number }>,
    be: (next: Mode) => void (mode = next),
    async stop(): Promise<void> {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
