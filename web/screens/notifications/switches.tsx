import { useMutation, useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { type NotificationKind, notificationTable } from "#domain/notification.ts";
import { pushQuery, refetchPush } from "../../lib/push.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api } from "../../lib/rpc.ts";
import { ErrorModal } from "../../ui/error-modal.tsx";
import classes from "./notifications.module.css";

export const mailSwitchesQuery = api.notifications.mailSwitches.queryOptions();
const refetchMails = () => queryClient.invalidateQueries({ queryKey: mailSwitchesQuery.queryKey });

type Switch = { kind: NotificationKind; on: boolean };
type Setting = { isPending: boolean; variables: Switch | undefined; mutate: (change: Switch) => void };

/** A row for each kind of notification, with a switch for each way in which it can be sent. */
export function Switches({ mails }: { mails: readonly Switch[] }) {
  const { data } = useQuery(pushQuery);
  const mailing = useMutation(api.notifications.setMailSwitch.mutationOptions({ onSettled: refetchMails }));
  const pushing = useMutation(api.push.setSwitch.mutationOptions({ onSettled: refetchPush }));
  const failed = mailing.error ? mailing : pushing;
  const pushes = new Map(data?.switches.map((each) => [each.kind, each]));
  return (
    <>
      <table className={`${classes.list} ${classes.switches}`}>
        <thead>
          <tr>
            <th scope="col">News</th>
            <th scope="col">Email</th>
            <th scope="col">Push</th>
          </tr>
        </thead>
        <tbody>
          {mails.map((mail) => (
            <Row key={mail.kind} mail={mail} push={pushes.get(mail.kind)} {...{ mailing, pushing }} />
          ))}
        </tbody>
      </table>
      <ErrorModal title="Error" error={failed.error} onClose={failed.reset} />
    </>
  );
}

type RowProps = { mail: Switch; push: Switch | undefined; mailing: Setting; pushing: Setting };

function Row({ mail, push, mailing, pushing }: RowProps) {
  const id = useId();
  const { label } = notificationTable[mail.kind];
  return (
    <tr>
      <th scope="row">
        <label className={classes.name} htmlFor={id}>
          {label}
        </label>
      </th>
      <td>
        <Check id={id} name={`${label}, email`} current={mail} setting={mailing} />
      </td>
      <td>{push && <Check name={`${label}, push`} current={push} setting={pushing} />}</td>
    </tr>
  );
}

type CheckProps = { id?: string; name: string; current: Switch; setting: Setting };

/** A checkbox that shows a change immediately. */
function Check({ id, name, current: { kind, on }, setting: { isPending, variables, mutate } }: CheckProps) {
  const change = isPending && variables?.kind === kind ? variables : null;
  return (
    <label className={classes.switch}>
      <input
        id={id}
        type="checkbox"
        aria-label={name}
        checked={change?.on ?? on}
        // A disabled checkbox would lose the focus.
        aria-disabled={change ? true : undefined}
        onChange={({ currentTarget: { checked } }) => !change && mutate({ kind, on: checked })}
      />
    </label>
  );
}
