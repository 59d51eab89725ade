import { useQuery } from "@tanstack/react-query";
import type { ProfileRole } from "#domain/profile.ts";
import { announce } from "../../lib/announce.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api } from "../../lib/rpc.ts";
import { Retry } from "../../ui/retry.tsx";
import { ProfileForm } from "./profile-form.tsx";
import { ProfileSkeleton } from "./profile-skeleton.tsx";

/** Asked once each time the form opens, since each look is in the audit log; not kept when it closes. */
const mine = api.profile.mine.queryOptions({
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
});

type ProfileEditorProps = {
  whose: ProfileRole;
  /** Only in a dialog: closes it once saved. */
  onClose?: () => void;
};

/** The whole profile form, on its screen and in the dashboards' modals. */
export default function ProfileEditor({ whose, onClose }: ProfileEditorProps) {
  const { data, error, refetch } = useQuery(mine);
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data) return <ProfileSkeleton />;
  return (
    <ProfileForm
      initial={data}
      whose={whose}
      onSaved={(email) => {
        announceSaved(email);
        onClose?.();
      }}
    />
  );
}

function announceSaved(email: string | null) {
  announce("Profile saved successfully!");
  if (email !== null) announce(`We've sent a link to ${email}. Open it to confirm.`, 15_000);
  void queryClient.invalidateQueries({ queryKey: api.account.me.key() });
  void queryClient.invalidateQueries({ queryKey: api.students.dashboard.key() });
}
