import type { CatalogueInstitution } from "#contract/catalogue-institutions.ts";
import { type StudyCountry, studyCountries } from "#domain/application.ts";
import { checkInstitutionForm, checkOtherNames, zoneOfCountry } from "#domain/catalogue.ts";
import { countryName } from "#domain/country.ts";
import { type InstitutionEntry, programmeLimits } from "#domain/programme.ts";
import { announce } from "../../lib/announce.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField, TextAreaField, TextField } from "../../ui/form/fields.tsx";
import { UniversityField } from "../../ui/form/university-field.tsx";
import { ModalForm } from "../../ui/modal-form.tsx";

const zones = () => ["", ...Intl.supportedValuesOf("timeZone")];
const countryIn = (text: string): StudyCountry => studyCountries.find((each) => each === text) ?? "GB";

type EditInstitutionProps = {
  /** Null while the dialog is closed. */
  of: CatalogueInstitution | "new" | null;
  onClose: () => void;
  /** Receives the stored institution. */
  onSaved?: (institution: InstitutionEntry) => void;
};

/** The dialog in which staff add an institution, or change one. */
export function EditInstitution({ of, onClose, onSaved }: EditInstitutionProps) {
  const initial = of === "new" ? null : of;
  const formOf = ({ name, country, place, zone, website }: Record<string, string>) => ({
    name: name ?? "",
    country: countryIn(country ?? ""),
    place: place ?? "",
    zone: zone || (zoneOfCountry[countryIn(country ?? "")] ?? ""),
    website: website ?? "",
  });
  return (
    <Dialog
      wide
      opened={of !== null}
      onClose={onClose}
      title={initial ? "Edit an institution" : "Add an institution"}
    >
      <ModalForm
        errorTitle="Not Saved"
        draftName={`institution ${initial?.id ?? "new"} ${initial?.version ?? 0}`}
        fields={["name", "country", "place", "zone", "website", "otherNames"]}
        check={(values) => {
          const form = checkInstitutionForm(formOf(values));
          if ("code" in form) return form;
          const names = checkOtherNames(values.otherNames.split("\n"), form.name);
          return "code" in names ? names : null;
        }}
        send={async (values) => {
          const institution = checkInstitutionForm(formOf(values));
          if ("code" in institution) return false;
          await rpc.catalogue.saveInstitution({
            id: initial?.id ?? null,
            version: initial?.version ?? 0,
            institution,
            otherNames: values.otherNames.split("\n").filter((name) => name.trim() !== ""),
          });
          announce("Institution saved.");
          await queryClient.invalidateQueries({ queryKey: api.catalogue.key() });
          onSaved?.(institution);
          return true;
        }}
        onDone={onClose}
        onCancel={onClose}
        action="Save"
        busyText="Saving..."
      >
        <UniversityField
          name="name"
          label="Name"
          maxLength={programmeLimits.institution}
          defaultValue={initial?.name}
        />
        <SelectField
          name="country"
          label="Country"
          defaultValue={initial?.country ?? "GB"}
          data={studyCountries.map((code) => ({ value: code, label: countryName(code) }))}
        />
        <TextField
          optional
          name="place"
          label="Place (optional)"
          maxLength={programmeLimits.place}
          defaultValue={initial?.place}
        />
        <SelectField
          name="zone"
          label="Clock of its deadlines"
          required={false}
          defaultValue={initial?.zone ?? ""}
          data={zones().map((zone) => ({
            value: zone,
            label: zone === "" ? "The country's" : zone.replaceAll("_", " "),
          }))}
        />
        <TextField
          optional
          name="website"
          label="Website (optional)"
          inputMode="url"
          maxLength={programmeLimits.url}
          defaultValue={initial?.website}
        />
        <TextAreaField
          optional
          name="otherNames"
          label="Other names (optional)"
          maxLength={2000}
          defaultValue={initial?.otherNames.join("\n")}
          description="One a line. Imports and searches find it by them. A former name is kept among them."
        />
      </ModalForm>
    </Dialog>
  );
}
