import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { calendarDate } from "#domain/calendar-date.ts";
import { ratesProblem, readRates } from "#domain/catalogue.ts";
import { announce } from "../../lib/announce.ts";
import { formatDay } from "../../lib/format-date.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextAreaField, TextField } from "../../ui/form/fields.tsx";
import { Item } from "../../ui/item-list.tsx";
import { ModalForm } from "../../ui/modal-form.tsx";
import { TableSection } from "./table-section.tsx";

const ratesQuery = api.catalogue.rates.queryOptions();

/** Exchange rates for showing tuition in rand. */
export function Rates() {
  const query = useQuery(ratesQuery);
  const [today] = useState(() => calendarDate(new Date()));
  const [entering, setEntering] = useState(false);
  return (
    <>
      <TableSection
        title="Exchange rates"
        lead="Tuition is shown in rand by the newest rate. A currency without one is not converted."
        query={query}
        rows={query.data?.rates}
        empty="No rates yet: fees are shown as they are published."
        add={
          <Button variant="default" aria-haspopup="dialog" onClick={() => setEntering(true)}>
            Enter rates
          </Button>
        }
      >
        {({ currency, day, perRand }) => (
          <Item
            key={currency}
            level={3}
            name={currency}
            details={
              <p>
                R1 is {currency} {perRand}, of {formatDay(day)}
              </p>
            }
          />
        )}
      </TableSection>
      <Dialog opened={entering} onClose={() => setEntering(false)} title="Enter rates">
        <ModalForm
          errorTitle="Not Saved"
          draftName="rates"
          fields={["day", "rates"]}
          check={({ day, rates }) => {
            const entries = readRates(day, rates);
            return "code" in entries ? entries : ratesProblem(entries, calendarDate(new Date()));
          }}
          send={async ({ day, rates }) => {
            const entries = readRates(day, rates);
            if ("code" in entries) return false;
            await rpc.catalogue.enterRates({ rates: entries });
            announce("Rates saved.");
            await queryClient.invalidateQueries({ queryKey: ratesQuery.queryKey });
            return true;
          }}
          onDone={() => setEntering(false)}
          onCancel={() => setEntering(false)}
          action="Save"
          busyText="Saving..."
        >
          <TextField name="day" type="date" label="Day" defaultValue={today} />
          <TextAreaField
            name="rates"
            label="Rates"
            maxLength={2000}
            description="How much one rand is, one currency a line: GBP 0.0432."
          />
        </ModalForm>
      </Dialog>
    </>
  );
}
