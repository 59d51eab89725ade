import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { receiptsIn } from "#domain/history-lines.ts";
import { verifyAuction } from "./verify-auction.ts";

/**
 * `npm run verify -- URL [--receipt FILE]… [--checkpoint FILE]`: checks an auction's history without trusting its pages
 * (docs/auctions.md, "Open books"). `--checkpoint` compares the log with the last saved checkpoint, and saves the
 * current one in the file. Ends with 1 if something is broken, and with 2 if it could not be checked.
 */
const usage = "npm run verify -- https://HOST/product/ID [--receipt FILE] [--checkpoint FILE]";

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { receipt: { type: "string", multiple: true }, checkpoint: { type: "string" } },
    });
  } catch {
    return fail(usage);
  }
}

const { positionals, values } = readArguments();
const [address = ""] = positionals;
const url = URL.canParse(address) ? new URL(address) : fail(usage);
const [productId = fail(usage)] =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/.exec(url.pathname.toLowerCase()) ?? [];

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return fail(`${file} can't be read.`);
  }
}

async function get(path: string): Promise<Response> {
  const response = await fetch(new URL(path, url.origin)).catch(() =>
    fail(`${url.origin} can't be reached.`),
  );
  const { status } = response;
  if (status === 429 || status >= 500)
    return fail(`${url.origin} can't answer at the moment (${status}). Please try again later.`);
  return response;
}

const receipts = (values.receipt ?? []).flatMap((file) => {
  const fileReceipts = receiptsIn(read(file));
  return fileReceipts.length > 0 ? fileReceipts : fail(`${file} has no receipt.`);
});
const { checkpoint: file } = values;
const earlier = file !== undefined && existsSync(file) ? read(file) : null;
const { findings, checkpoint } = await verifyAuction(get, { productId, receipts, earlier }).catch(() =>
  fail(`${url.origin} does not answer as Wayfare does, or not to the end.`),
);
for (const { holds, text } of findings) console.log(`${holds ? "holds " : "BROKEN"}  ${text}`);
const isWhole = findings.every(({ holds }) => holds);
if (file !== undefined && checkpoint !== null && isWhole) writeFileSync(file, checkpoint);
process.exit(isWhole ? 0 : 1);
