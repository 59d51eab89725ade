/** The passphrase of a backup; null for one that is not encrypted. From the environment, which other users can't read. */
export function backupPassphrase(): string | null {
  const passphrase = process.env["BACKUP_PASSPHRASE"];
  if (passphrase === undefined) return null;
  // A file that was to hold it and didn't, most likely: nobody wants a backup in the clear then.
  if (passphrase.trim() === "") throw new Error("BACKUP_PASSPHRASE is empty: set it, or unset it.");
  return passphrase;
}
