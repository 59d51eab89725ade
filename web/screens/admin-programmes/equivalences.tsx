import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { catalogueLimits, checkEquivalence } from "#domain/catalogue.ts";
import { type Equivalence, gradeScaleNames, gradeScales } from "#domain/qualification.ts";
import { announce } from "../../lib/announce.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField, TextField } from "../../ui/form/fields.tsx";
import { Item } from "../../ui/item-list.tsx";
import { ModalForm } from "../../ui/modal-form.tsx";
import classes from "./programmes.module.css";
import { RemoveButton } from "./remove-button.tsx";
import { TableSection } from "./table-section.tsx";

const equivalencesQuery = api.catalogue.equivalences.queryOptions();
const scales = gradeScaleNames.map((name) => ({ value: name, label: gradeScales[name].label }));
const scaleIn = (text: string) => gradeScaleNames.find((name) => name === text) ?? "percent";
const yearIn = (text: string) => (text.trim() === "" ? null : Number(text));

const years = ({ firstYear, lastYear }: Equivalence): string => {
  if (firstYear === null && lastYear === null) return "of any year";
  if (lastYear === null) return `from ${firstYear} on`;
  return firstYear === null ? `up to ${lastYear}` : `from ${firstYear} to ${lastYear}`;
};

/** Lists what grades count as, by the consultancy's own table. */
export function Equivalences() {
  const query = useQuery(equivalencesQuery);
  const [adding, setAdding] = useState(false);
  return (
    <>
      <TableSection
        title="What grades count as"
        lead="Grades of one scale are compared with another only by this table. Without a row nothing is converted."
        query={query}
        rows={query.data?.equivalences}
        empty="No rows yet: grades are compared on their own scale alone."
        add={
          <Button variant="default" aria-haspopup="dialog" onClick={() => setAdding(true)}>
            Add a row
          </Button>
        }
      >
        {(row) => (
          <Item
            key={row.id}
            level={3}
            name={`${row.fromGrade} (${gradeScales[row.fromScale].label}) counts as ${row.toGrade} (${gradeScales[row.toScale].label})`}
            details={
              <p>
                For qualifications {years(row)}. Source: {row.source}
              </p>
            }
            actions={
              <RemoveButton
                name={`${row.fromGrade} as ${row.toGrade}`}
                text="Grades are then no longer compared by it."
                remove={() => rpc.catalogue.removeEquivalence({ id: row.id })}
              />
            }
          />
        )}
      </TableSection>
      <AddEquivalence opened={adding} onClose={() => setAdding(false)} />
    </>
  );
}

const fields = ["fromScale", "fromGrade", "toScale", "toGrade", "firstYear", "lastYear", "source"] as const;

const formOf = (values: Record<(typeof fields)[number], string>) => ({
  fromScale: scaleIn(values.fromScale),
  fromGrade: values.fromGrade.trim(),
  toScale: scaleIn(values.toScale),
  toGrade: values.toGrade.trim(),
  firstYear: yearIn(values.firstYear),
  lastYear: yearIn(values.lastYear),
  source: values.source,
});

function AddEquivalence({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Dialog wide opened={opened} onClose={onClose} title="Add what a grade counts as">
      <ModalForm
        errorTitle="Not Saved"
        draftName="equivalence"
        fields={fields}
        check={(values) => {
          const equivalence = checkEquivalence(formOf(values));
          return "code" in equivalence ? equivalence : null;
        }}
        send={async (values) => {
          await rpc.catalogue.saveEquivalence(formOf(values));
          announce("Row added.");
          await queryClient.invalidateQueries({ queryKey: equivalencesQuery.queryKey });
        }}
        onDone={onClose}
        onCancel={onClose}
        action="Add"
        busyText="Adding..."
      >
        <div className={classes.pair}>
          <SelectField name="fromScale" label="Scale" data={scales} />
          <TextField name="fromGrade" label="Grade" maxLength={40} />
          <SelectField name="toScale" label="Counts on the scale" data={scales} defaultValue="ukHonours" />
          <TextField name="toGrade" label="As the grade" maxLength={40} />
          <TextField
            optional
            descriptionBelow
            description="In which the qualification was awarded."
            name="firstYear"
            label="From the year (optional)"
            inputMode="numeric"
            maxLength={4}
          />
          <TextField
            optional
            name="lastYear"
            label="Up to the year (optional)"
            inputMode="numeric"
            maxLength={4}
          />
        </div>
        <TextField
          name="source"
          label="Source"
          maxLength={catalogueLimits.equivalenceSource}
          description="Such as UK ENIC, 2026."
        />
      </ModalForm>
    </Dialog>
  );
}
