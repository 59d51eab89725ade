import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { AccountDetails, AccountRow } from "#contract/accounts.ts";
import { limits } from "#domain/account.ts";
import { helpReasonLimit, helpReasonProblem } from "#domain/account-help.ts";
import { type Agency, agencyFields, agencyLabel, agencyProblem } from "#domain/agency.ts";
import { calendarDate } from "#domain/calendar-date.ts";
import { profileLabel, profileLimits } from "#domain/profile.ts";
import { checkDetails, type Details, detailFields } from "#domain/profile-check.ts";
import { announce } from "../../lib/announce.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import dialog from "../../ui/dialog.module.css";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/form/fields.tsx";
import { ModalForm } from "../../ui/modal-form.tsx";
import { ReasonDialog } from "../../ui/reason-dialog.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import classes from "./edit-account.module.css";
import { Strikes } from "./strikes.tsx";

type EditAccountProps = {
  /** Null: closed. */
  account: AccountRow | null;
  onClose: () => void;
};

/** Edits the details of a student or an agent, and resets their two-step login. */
export default function EditAccount({ account, onClose }: EditAccountProps) {
  const [isResetting, setResetting] = useState(false);
  const name = account?.name || account?.email || "";
  return (
    <>
      <Dialog wide opened={account !== null && !isResetting} onClose={onClose} title={`Edit ${name}`}>
        {account && (
          <>
            <DetailsForm userId={account.id} onClose={onClose} />
            <Strikes userId={account.id} name={name} />
            <section className={classes.reset} aria-labelledby="two-step">
              <h3 id="two-step" className={classes.title}>
                Lost phone or passkey
              </h3>
              <p className={dialog.words}>
                Resetting removes the authenticator app, the recovery codes and all passkeys of {name}, ends
                API keys, and logs out all devices. Make sure first that it's really them who asks.
              </p>
              <Button variant="danger" onClick={() => setResetting(true)}>
                Reset two-step login
              </Button>
            </section>
          </>
        )}
      </Dialog>
      <ReasonDialog
        opened={account !== null && isResetting}
        title={`Reset two-step login of ${name}`}
        draft={`reset ${account?.id}`}
        maxLength={helpReasonLimit}
        check={helpReasonProblem}
        send={async (reason) => {
          if (!account) return;
          await rpc.accounts.resetSecondFactor({ userId: account.id, reason });
          announce(`${name} can log in with the password alone, and has been emailed.`);
        }}
        action={{ text: "Reset", busyText: "Resetting..." }}
        errorTitle="Not reset"
        onClose={() => {
          setResetting(false);
          onClose();
        }}
      >
        We'll email your reason to {name}. They log in with the password alone until they set up two-step
        login again.
      </ReasonDialog>
    </>
  );
}

function DetailsForm({ userId, onClose }: { userId: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery({
    ...api.accounts.details.queryOptions({ input: { userId } }),
    // The form is filled in once: a later answer wouldn't reach its fields.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton h={220} label="Loading the details" />;
  return <Fields details={data} onClose={onClose} />;
}

const fields = [...detailFields, ...agencyFields];
type Values = Details & Agency;

function problemOf(
  values: Values,
  { role, firstName, lastName, phoneNumber, agency, country }: AccountDetails,
) {
  if (role === "admin") return null;
  const details = checkDetails(values, {
    role,
    today: calendarDate(new Date()),
    stored: { firstName, lastName, phoneNumber },
  });
  if ("code" in details) return details;
  const isMoved = role === "agent" && (values.agency !== agency || values.country !== country);
  return isMoved ? agencyProblem(values) : null;
}

function Fields({ details, onClose }: { details: AccountDetails; onClose: () => void }) {
  const isAgent = details.role === "agent";
  return (
    <ModalForm
      errorTitle="Not saved"
      fields={fields}
      check={(values) => problemOf(values, details)}
      send={async ({ agency, country, ...rest }) => {
        const { id: userId, version } = details;
        await rpc.accounts.editDetails({ userId, version, ...rest, ...(isAgent && { agency, country }) });
        announce("Details saved. The person has been emailed.");
        const queryKeys = [api.accounts.key(), api.agents.key(), api.students.key()];
        await Promise.all(queryKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
      }}
      onDone={onClose}
      onCancel={onClose}
      action="Save"
      busyText="Saving..."
    >
      {detailFields.map((field) => (
        <TextField
          key={field}
          name={field}
          label={profileLabel[field]}
          type={field === "phoneNumber" ? "tel" : "text"}
          optional={field === "phoneNumber"}
          defaultValue={details[field]}
          maxLength={profileLimits[field]}
          autoComplete="off"
        />
      ))}
      {isAgent &&
        agencyFields.map((field) => (
          <TextField
            key={field}
            name={field}
            label={agencyLabel[field]}
            defaultValue={details[field]}
            maxLength={limits[field]}
            autoComplete="off"
          />
        ))}
      <p className={dialog.aside}>We'll email them which of these changed.</p>
    </ModalForm>
  );
}
