import { useMutation, useQuery } from "@tanstack/react-query";
import { type Device, deniedWords, pushQuery, refetchPush, turnOffPush, turnOnPush } from "../../lib/push.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import classes from "./notifications.module.css";

const words: Readonly<Record<Device, string>> = {
  unsupported:
    "This browser can't show news while Wayfare is closed. On an iPhone or iPad it can once you've added Wayfare to your Home Screen and opened it from there.",
  denied: deniedWords,
  off: "This device shows no news while Wayfare is closed.",
  on: "This device shows news while Wayfare is closed, until you log out here.",
};

/** Whether this device shows push notifications, and the button to change that. */
export function ThisDevice() {
  const viewer = useViewer();
  const { data, error } = useQuery(pushQuery);
  const turning = useMutation({
    mutationFn: async ({ viewerId, on }: { viewerId: string; on: boolean }) =>
      on ? await turnOnPush(viewerId) : await turnOffPush(),
    onSettled: refetchPush,
  });
  if (!viewer || (!data && error)) return null;
  if (!data) return <Skeleton h={72} mt={16} label="Loading this device" />;
  const { device } = data;
  const isOn = device === "on";
  return (
    <div className={classes.device}>
      <p>{words[device]}</p>
      {(isOn || device === "off") && (
        <Button
          variant="default"
          disabled={turning.isPending}
          onClick={() => turning.mutate({ viewerId: viewer.id, on: !isOn })}
        >
          {isOn ? "Stop on this device" : "Notify me on this device"}
        </Button>
      )}
      <ErrorModal title="Notifications" error={turning.error} onClose={turning.reset} />
    </div>
  );
}
