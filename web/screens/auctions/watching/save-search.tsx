import { useState } from "react";
import { useLocation } from "react-router";
import {
  maySaveSearch,
  proposedName,
  type SearchFilters,
  type SearchMail,
  savedSearchProblem,
  searchInWords,
  searchMailLabels,
  searchMails,
  watchLimits,
} from "#domain/watching.ts";
import { announce } from "../../../lib/announce.ts";
import { queryClient } from "../../../lib/query-client.ts";
import { api, rpc } from "../../../lib/rpc.ts";
import { useIsMember } from "../../../lib/viewer.ts";
import { Button, LinkButton } from "../../../ui/button.tsx";
import dialog from "../../../ui/dialog.module.css";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field, Select, TextField } from "../../../ui/form/fields.tsx";
import { ModalForm } from "../../../ui/modal-form.tsx";
import { loginPath } from "../login-path.ts";

type SaveSearchProps = {
  filters: SearchFilters;
  /** Filters of the list that a saved search leaves out, in words. */
  unsaved: readonly string[];
  primary?: boolean;
};

/** Offers to save a search for notifications of new items; visitors are led to the login and back. */
export function SaveSearch({ filters, unsaved, primary = false }: SaveSearchProps) {
  const isMember = useIsMember();
  const { pathname, search } = useLocation();
  const [isOpen, setOpen] = useState(false);
  if (!maySaveSearch(filters)) return null;
  const size = primary ? "md" : "compact-md";
  if (!isMember)
    return (
      <LinkButton primary={primary} size={size} to={loginPath(pathname + search)}>
        Log in to save this search
      </LinkButton>
    );
  return (
    <>
      <Button variant={primary ? "filled" : "default"} size={size} onClick={() => setOpen(true)}>
        Save this search
      </Button>
      <Dialog wide opened={isOpen} onClose={() => setOpen(false)} title="Save this search">
        <SaveForm filters={filters} unsaved={unsaved} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

type SaveFormProps = Omit<SaveSearchProps, "primary"> & { onClose: () => void };

function SaveForm({ filters, unsaved, onClose }: SaveFormProps) {
  const [mail, setMail] = useState<SearchMail>("daily");
  return (
    <>
      <p className={dialog.words}>
        {searchInWords(filters)}.{unsaved.length > 0 && ` It doesn't keep ${unsaved.join(" and ")}.`} The bell
        tells you of new items at most once a day.
      </p>
      <ModalForm
        errorTitle="Error"
        fields={["name"]}
        check={({ name }) => savedSearchProblem(name, filters)}
        send={async ({ name }) => {
          await rpc.watching.saveSearch({ name, filters, mail });
          await queryClient.invalidateQueries({ queryKey: api.watching.searches.key() });
          announce(`${name.trim()} is saved.`);
        }}
        onDone={onClose}
        onCancel={onClose}
        action="Save search"
        busyText="Saving..."
      >
        <TextField
          name="name"
          label="Name"
          defaultValue={proposedName(filters)}
          maxLength={watchLimits.name}
        />
        <MailChoice mail={mail} onChoose={setMail} />
      </ModalForm>
    </>
  );
}

type MailChoiceProps = { mail: SearchMail; onChoose: (mail: SearchMail) => void; label?: string };

/** The choice of how often a saved search may send an email. */
export const MailChoice = ({ mail, onChoose, label = "Emails about new items" }: MailChoiceProps) => (
  <Field label={label}>
    {(control) => (
      <Select
        value={mail}
        data={searchMails.map((value) => ({ value, label: searchMailLabels[value] }))}
        onChange={({ currentTarget }) =>
          onChoose(searchMails.find((each) => each === currentTarget.value) ?? mail)
        }
        {...control}
      />
    )}
  </Field>
);
