import { errorCode } from "./error-code.ts";

/** What a disk says that is full, broken or out of handles, and the store's own word for whatever failed in it. */
const codes: ReadonlySet<string> = new Set([
  "ENOSPC",
  "EDQUOT",
  "EIO",
  "EROFS",
  "EMFILE",
  "ENFILE",
  "E_CANNOT_WRITE_FILE",
  "E_CANNOT_READ_FILE",
  "E_CANNOT_CHECK_FILE_EXISTENCE",
  "E_CANNOT_GET_METADATA",
]);

/** Whether something failed since the store of files is not there or is full: worth asking again later. */
export const isStoreFailure = (error: unknown): boolean => codes.has(errorCode(error) ?? "");
