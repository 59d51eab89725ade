import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { calendarDate } from "#domain/calendar-date.ts";
import { type Rate, ratesProblem } from "#domain/catalogue.ts";
import { currencies } from "#domain/currency.ts";
import { wrong } from "#domain/problem.ts";
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

/** Reads lines such as "GBP 0.0432". */
function ratesIn(day: string, text: string): Rate[] | null {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const rates = lines.flatMap((line) => {
    const [code = "", perRand = ""] = line.trim().split(/[\s;,]+/);
    const currency = currencies.find((each) => each === code.toUpperCase());
    return currency ? [{ day, currency, perRand }] : [];
  });
  return rates.length > 0 && rates.length === lines.length ? rates : null;
}

/** Exchange rates, by which tuition is shown in rand. */
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
            const typed = ratesIn(day, rates);
            if (!typed) return wrong("rates", "Please enter one currency a line, such as GBP 0.0432.");
            return ratesProblem(typed, calendarDate(new Date()));
          }}
          send={async ({ day, rates }) => {
            await rpc.catalogue.enterRates({ rates: ratesIn(day, rates) ?? [] });
            announce("Rates saved.");
            await queryClient.invalidateQueries({ queryKey: ratesQuery.queryKey });
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
