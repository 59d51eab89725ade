import type { ReactNode } from "react";
import { useHydrated } from "../lib/hydration.ts";

type EitherProps = { isMember: boolean; member: ReactNode; visitor: ReactNode };

/**
 * Shows members one thing and visitors another. The server's HTML is the same for everyone and holds both: the hint
 * cookie decides which of them is seen before the first paint (`styles/theme.css`, `server/rendering/hint.ts`).
 */
export function Either({ isMember, member, visitor }: EitherProps) {
  const isHydrated = useHydrated();
  const seenBy = (whom: "members" | "visitors") => (isHydrated ? undefined : whom);
  return (
    <>
      {!(isHydrated && isMember) && (
        <div className="either" data-seen-by={seenBy("visitors")}>
          {visitor}
        </div>
      )}
      {(isMember || !isHydrated) && (
        <div className="either" data-seen-by={seenBy("members")}>
          {member}
        </div>
      )}
    </>
  );
}
