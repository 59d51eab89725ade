import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

/** Opens a mail server that keeps its mails, and refuses one address, quoting it in the answer. */
export async function openMailReceiver(refused: string) {
  const mails: string[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo({ address }, _session, done) {
      done(address === refused ? new Error(`no mailbox ${address}`) : null);
    },
    onData(stream, _session, done) {
      let mail = "";
      stream.on("data", (chunk: Buffer) => (mail += chunk.toString()));
      stream.on("end", () => {
        mails.push(mail.replaceAll("=\r\n", "").replaceAll("=3D", "="));
        done();
      });
    },
  });
  await new Promise<void>((resolve) => void smtp.listen(0, "127.0.0.1", resolve));
  const { port } = smtp.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails: mails as readonly string[],
    close: () => new Promise<void>((resolve) => smtp.close(() => resolve())),
  };
}
