import type { CatalogueInstitution } from "#contract/catalogue-institutions.ts";
import { wrong } from "#domain/problem.ts";
import { announce } from "../../lib/announce.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import dialog from "../../ui/dialog.module.css";
import { Dialog } from "../../ui/dialog.tsx";
import { ModalForm } from "../../ui/modal-form.tsx";
import { InstitutionField, institutionMissing, useInstitutions } from "./institution-field.tsx";

type JoinInstitutionProps = {
  /** The institution to join into another; null while the dialog is closed. */
  from: CatalogueInstitution | null;
  onClose: () => void;
};

/** Joins an institution into any other of its country. */
export const JoinInstitution = ({ from, onClose }: JoinInstitutionProps) => (
  <Dialog opened={from !== null} onClose={onClose} title="Join into another institution">
    {from && <JoinForm from={from} onClose={onClose} />}
  </Dialog>
);

function JoinForm({ from, onClose }: { from: CatalogueInstitution; onClose: () => void }) {
  const { institutions, onType, named } = useInstitutions({ country: from.country });
  return (
    <>
      <p className={dialog.words}>
        The programmes of {from.name} move to the institution that you choose, which is then found by both
        names. This can't be undone.
      </p>
      <ModalForm
        errorTitle="Not Joined"
        fields={["into"]}
        onEdit={({ into }) => onType(into)}
        check={({ into }) => {
          const other = named(into);
          if (!other) return institutionMissing("into");
          return other.id === from.id ? wrong("into", "Please choose another institution.") : null;
        }}
        send={async ({ into }) => {
          const other = named(into);
          if (!other) return false;
          await rpc.catalogue.joinInstitution({ id: from.id, into: other.id });
          announce(`${from.name} is now part of ${other.name}.`);
          await queryClient.invalidateQueries({ queryKey: api.catalogue.key() });
          return true;
        }}
        onDone={onClose}
        onCancel={onClose}
        action="Join them"
        busyText="Joining..."
      >
        <InstitutionField
          name="into"
          label="The institution that stays"
          institutions={institutions.filter(({ id }) => id !== from.id)}
        />
      </ModalForm>
    </>
  );
}
