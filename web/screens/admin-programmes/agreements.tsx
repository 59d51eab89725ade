import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { countryName } from "#domain/country.ts";
import { announce } from "../../lib/announce.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Item } from "../../ui/item-list.tsx";
import { ModalForm } from "../../ui/modal-form.tsx";
import { InstitutionField, institutionMissing, useInstitutions } from "./institution-field.tsx";
import { RemoveButton } from "./remove-button.tsx";
import { TableSection } from "./table-section.tsx";

const agreementsQuery = api.catalogue.agreements.queryOptions();

/** Institutions that pay the consultancy. */
export function Agreements() {
  const query = useQuery(agreementsQuery);
  const [adding, setAdding] = useState(false);
  return (
    <>
      <TableSection
        title="Agreements"
        lead="These institutions pay the consultancy for students who enrol. A programme's page says so; the order of programmes never depends on it."
        query={query}
        rows={query.data?.agreements}
        empty="No agreements."
        add={
          <Button variant="default" aria-haspopup="dialog" onClick={() => setAdding(true)}>
            Add an agreement
          </Button>
        }
      >
        {(agreement) => (
          <Item
            key={agreement.institutionId}
            level={3}
            name={agreement.name}
            details={<p>{countryName(agreement.country)}</p>}
            actions={
              <RemoveButton
                name={agreement.name}
                text="Its programmes no longer say that it pays."
                remove={() => rpc.catalogue.removeAgreement({ institutionId: agreement.institutionId })}
              />
            }
          />
        )}
      </TableSection>
      <Dialog opened={adding} onClose={() => setAdding(false)} title="Add an agreement">
        <AddAgreement onClose={() => setAdding(false)} />
      </Dialog>
    </>
  );
}

function AddAgreement({ onClose }: { onClose: () => void }) {
  const { institutions, onType, named } = useInstitutions();
  return (
    <ModalForm
      errorTitle="Not Saved"
      fields={["paying"]}
      onEdit={({ paying }) => onType(paying)}
      check={({ paying }) => (named(paying) ? null : institutionMissing("paying"))}
      send={async ({ paying }) => {
        const institution = named(paying);
        if (!institution) return false;
        await rpc.catalogue.setAgreement({ institutionId: institution.id });
        announce("Agreement added.");
        await queryClient.invalidateQueries({ queryKey: agreementsQuery.queryKey });
        return true;
      }}
      onDone={onClose}
      onCancel={onClose}
      action="Add"
      busyText="Adding..."
    >
      <InstitutionField name="paying" label="Institution" institutions={institutions} />
    </ModalForm>
  );
}
