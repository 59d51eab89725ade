import type { LinkMode } from "#contract/documents.ts";
import type { Keys } from "#server/platform/keys.ts";

/** Milliseconds for which a link works. */
const lifetime = 5 * 60 * 1000;

/** The grant of a link to a session: to open one file, identified by its path, in one mode. */
export type FileGrant = { path: string; mode: LinkMode; sessionId: string };

export const documentPath = (id: string): string => `/files/documents/${encodeURIComponent(id)}`;
export const messageFilePath = (id: string): string => `/files/messages/${encodeURIComponent(id)}`;
/** The path of a file with everything about the caller. */
export const ownDataPath = "/files/your-data";
/** Returns the path of a file with everything that is stored about a student. */
export const studentFilePath = (studentId: string): string =>
  `/files/students/${encodeURIComponent(studentId)}`;

/**
 * Creates links to files, signed with a key of their own that is derived from the session secret. Nothing is stored,
 * and every node can check them. `now` returns the time in milliseconds since 1970.
 */
export function createFileLinks(keys: Pick<Keys, "signer">, now: () => number = Date.now) {
  const signer = keys.signer("fileLink");
  const textOf = ({ path, mode, sessionId }: FileGrant, expires: number) =>
    JSON.stringify([path, mode, sessionId, expires]);

  return {
    /** Returns the address, and when it expires. */
    make(grant: FileGrant): { url: string; expiresAt: Date } {
      const expires = now() + lifetime;
      const search = new URLSearchParams({
        mode: grant.mode,
        expires: String(expires),
        signature: signer.sign(textOf(grant, expires)).toString("base64url"),
      });
      return {
        url: `${grant.path}?${search.toString()}`,
        expiresAt: new Date(expires),
      };
    },
    /** Checks that the signature is ours for exactly this grant, and that the link has not expired. */
    check(grant: FileGrant, expires: string, signature: string): "valid" | "expired" | "wrong" {
      const time = Number(expires);
      if (!signer.accepts(textOf(grant, time), signature)) return "wrong";
      return time > now() ? "valid" : "expired";
    },
  };
}
