import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { countryName } from "#domain/country.ts";
import { wrong } from "#domain/problem.ts";
import { announce } from "../../lib/announce.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/form/fields.tsx";
import { Item } from "../../ui/item-list.tsx";
import { ModalForm } from "../../ui/modal-form.tsx";
import { RemoveButton } from "./remove-button.tsx";
import { TableSection } from "./table-section.tsx";

const agreementsQuery = api.catalogue.agreements.queryOptions();
const labelOf = ({ name, country }: { name: string; country: string }) => `${name}, ${countryName(country)}`;

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
  const [search, setSearch] = useState("");
  const { data } = useQuery({
    ...api.catalogue.institutions.queryOptions({
      input: { search: search.split(",")[0]?.slice(0, 200) ?? "", limit: 20 },
    }),
    placeholderData: keepPreviousData,
  });
  const named = (label: string) => data?.institutions.find((each) => labelOf(each) === label.trim());
  return (
    <ModalForm
      errorTitle="Not Saved"
      fields={["paying"]}
      onEdit={({ paying }) => setSearch(paying)}
      check={({ paying }) =>
        named(paying) ? null : wrong("paying", "Please choose an institution from the list.")
      }
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
      <TextField
        name="paying"
        label="Institution"
        list="paying-institutions"
        autoComplete="off"
        description="Type a part of its name, and choose it."
      />
      <datalist id="paying-institutions">
        {data?.institutions.map((each) => (
          <option key={each.id} value={labelOf(each)}>
            {each.name}
          </option>
        ))}
      </datalist>
    </ModalForm>
  );
}
