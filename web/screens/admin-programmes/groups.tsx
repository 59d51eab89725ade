import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { catalogueLimits, checkGroup } from "#domain/catalogue.ts";
import { countryCodeOf, countryName } from "#domain/country.ts";
import { announce } from "../../lib/announce.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextAreaField, TextField } from "../../ui/form/fields.tsx";
import { Item } from "../../ui/item-list.tsx";
import { ModalForm } from "../../ui/modal-form.tsx";
import { RemoveButton } from "./remove-button.tsx";
import { TableSection } from "./table-section.tsx";

type Group = { id: string; name: string; countries: string[] };
const groupsQuery = api.catalogue.groups.queryOptions();
const codesIn = (text: string): string[] =>
  text
    .split(/[\n,]/)
    .map((name) => countryCodeOf(name.trim()))
    .filter((code) => code !== "");

/** Groups of nationalities that have deadlines of their own. */
export function Groups() {
  const query = useQuery(groupsQuery);
  const [edited, setEdited] = useState<Group | "new" | null>(null);
  return (
    <>
      <TableSection
        title="Groups of nationalities"
        lead="A deadline can be for one of these groups alone."
        query={query}
        rows={query.data?.groups}
        empty="No groups yet."
        add={
          <Button variant="default" aria-haspopup="dialog" onClick={() => setEdited("new")}>
            Add a group
          </Button>
        }
      >
        {(group) => (
          <Item
            key={group.id}
            level={3}
            name={group.name}
            details={<p>{group.countries.map(countryName).join(", ")}</p>}
            actions={
              <>
                <Button
                  size="compact-md"
                  variant="default"
                  aria-haspopup="dialog"
                  aria-label={`Edit ${group.name}`}
                  onClick={() => setEdited(group)}
                >
                  Edit
                </Button>
                <RemoveButton
                  name={group.name}
                  text="A group that deadlines are for stays."
                  remove={() => rpc.catalogue.removeGroup({ id: group.id })}
                />
              </>
            }
          />
        )}
      </TableSection>
      <EditGroup of={edited} onClose={() => setEdited(null)} />
    </>
  );
}

function EditGroup({ of, onClose }: { of: Group | "new" | null; onClose: () => void }) {
  const group = of === "new" ? null : of;
  return (
    <Dialog opened={of !== null} onClose={onClose} title={group ? "Edit a group" : "Add a group"}>
      <ModalForm
        errorTitle="Not Saved"
        draftName={`group ${group?.id ?? "new"}`}
        fields={["name", "countries"]}
        check={({ name, countries }) => {
          const group = checkGroup({ name, countries: codesIn(countries) });
          return "code" in group ? group : null;
        }}
        send={async ({ name, countries }) => {
          await rpc.catalogue.saveGroup({ id: group?.id ?? null, name, countries: codesIn(countries) });
          announce("Group saved.");
          await queryClient.invalidateQueries({ queryKey: groupsQuery.queryKey });
        }}
        onDone={onClose}
        onCancel={onClose}
        action="Save"
        busyText="Saving..."
      >
        <TextField
          name="name"
          label="Name"
          maxLength={catalogueLimits.groupName}
          defaultValue={group?.name}
        />
        <TextAreaField
          name="countries"
          label="Countries"
          maxLength={8000}
          defaultValue={group?.countries.map(countryName).join("\n")}
          description="One a line, by name or two-letter code."
        />
      </ModalForm>
    </Dialog>
  );
}
