import type { ReactNode } from "react";
import { useHydrated } from "../lib/hydration.ts";

type EitherProps = { isMember: boolean; member: ReactNode; visitor: ReactNode };

/**
 * Shows different content to members and visitors. The server's HTML is the same for everyone and contains both: the
 * hint cookie decides which of them is visible before the first paint (`styles/theme.css`, `server/rendering/hint.ts`).
 */
export function Either({ isMember, member, visitor }: EitherProps) {
  const isHydrated = useHydrated();
  const seenBy = (audience: "members" | "visitors") => (isHydrated ? undefined : audience);
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
