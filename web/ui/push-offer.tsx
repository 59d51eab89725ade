import { useMutation, useQuery } from "@tanstack/react-query";
import type { NotificationKind } from "#domain/notification.ts";
import { deniedWords, pushQuery, refetchPush, turnOnPush } from "../lib/push.ts";
import { useViewer } from "../lib/viewer.ts";
import { Button } from "./button.tsx";
import { ErrorModal } from "./error-modal.tsx";
import classes from "./push-offer.module.css";
import { TextLink } from "./text-link.tsx";

type PushOfferProps = { kind: NotificationKind; label: string };

/** Offers notifications of one kind on this device. Shows nothing if that isn't possible or is already on. */
export default function PushOffer({ kind, label }: PushOfferProps) {
  const viewer = useViewer();
  const { data } = useQuery({ ...pushQuery, enabled: viewer !== null });
  const asking = useMutation({
    mutationFn: async (viewerId: string) => await turnOnPush(viewerId, kind),
    onSettled: refetchPush,
  });
  if (!viewer) return null;
  if (asking.data === "denied") return <p className={classes.words}>{deniedWords}</p>;
  if (asking.data === "on")
    return (
      <output className={classes.words}>
        We'll tell you on this device. <TextLink to="/notifications#mails">Choose what we tell you</TextLink>
      </output>
    );
  const isWanted = data?.switches.some((each) => each.kind === kind && each.on);
  if (!data || data.device === "unsupported" || (data.device === "on" && isWanted)) return null;
  return (
    <div>
      <Button
        variant="default"
        size="compact-md"
        disabled={asking.isPending}
        onClick={() => asking.mutate(viewer.id)}
      >
        {label}
      </Button>
      <ErrorModal title="Notifications" error={asking.error} onClose={asking.reset} />
    </div>
  );
}
