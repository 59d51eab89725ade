import type { Page } from "@playwright/test";
import { pdf } from "#tests/support/files.ts";
import { pick, press, tabTo, type } from "./keyboard.ts";
import { signedUp } from "./people.ts";
import { isHydrated } from "./steps.ts";
import { expect, test } from "./story.ts";
import { aFile, slot } from "./uploads.ts";

/** A screen of 1280 by 1024 at 400% zoom. */
test.use({ contextOptions: { reducedMotion: "reduce" }, viewport: { width: 320, height: 256 } });

const dialog = (page: Page, name: string) => page.getByRole("dialog", { name });

test("a student fills in the profile, uploads a document and applies", async ({ page, server }) => {
  await signedUp(page, server.url, "student");
  await page.goto("/student-dashboard");
  await isHydrated(page);
  const opener = page.getByRole("button", { name: "Update Personal Details" });
  await press(page, opener);
  const profile = dialog(page, "Personal details");
  await expect(profile.getByLabel("First name")).toBeVisible();
  await type(page, profile.getByLabel("City"), "Lagos");
  await pick(page, profile.getByLabel("Country"), "Nigeria");
  await type(page, profile.getByLabel("Date of birth"), "02292004");
  await expect(profile.getByLabel("Date of birth")).toHaveValue("2004-02-29");
  await press(page, profile.getByRole("button", { name: "Save Profile" }));
  await expect(page.getByText("Profile saved successfully!")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(profile).toBeHidden();
  await expect(opener).toBeFocused();

  const uploader = page.getByRole("button", { name: "Upload Documents" });
  await press(page, uploader);
  const chooser = page.waitForEvent("filechooser");
  await press(page, dialog(page, "Your documents").getByRole("button", { name: "Choose file for CV" }));
  await (await chooser).setFiles(aFile("cv.pdf", pdf()));
  await pick(page, page.getByLabel("Slot for cv.pdf"), "Passport");
  await press(page, page.getByRole("button", { name: "Upload 1 file" }));
  await expect(page.getByText("1 document uploaded, 5 still missing")).toBeVisible();
  await expect(slot(page, "Passport")).toContainText("Waiting for review");
  await tabTo(page, page.getByRole("button", { name: "Replace Passport" }));
  await page.keyboard.press("Escape");
  await expect(uploader).toBeFocused();

  await tabTo(page, page.getByRole("button", { name: "Start Application" }), "Shift+Tab");
  await page.keyboard.press("Enter");
  const applications = dialog(page, "Your Applications");
  await type(page, applications.getByLabel("Programme"), "MSc Data Science");
  await pick(page, applications.getByLabel("Highest study level"), "Foundation");
  await press(page, applications.getByRole("checkbox", { name: "All" }), "Space");
  await press(page, applications.getByRole("checkbox", { name: "Canada" }), "Space");
  await expect(applications.getByRole("checkbox", { name: "All" })).not.toBeChecked();
  await pick(page, applications.getByLabel("Start date"), "Spring Intake (January)");
  await press(page, applications.getByRole("button", { name: "Submit Application" }));
  const mine = applications.getByRole("article", { name: "MSc Data Science" });
  await tabTo(page, mine.getByRole("button", { name: "Withdraw" }), "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(dialog(page, "Withdraw application").getByRole("button", { name: "Cancel" })).toBeFocused();
  await press(page, dialog(page, "Withdraw application").getByRole("button", { name: "Withdraw" }));
  await expect(mine.getByText("Withdrawn", { exact: true })).toBeVisible();
  // The button that was pressed is gone.
  await expect(applications.locator(":focus")).toHaveCount(1);
});

test("a student keeps a shortlist, reads the notifications and chooses which are mailed", async ({
  page,
  server,
}) => {
  await signedUp(page, server.url, "student");
  await page.goto("/shortlist");
  await isHydrated(page);
  // The placeholders would take the focus with them when they are replaced.
  await expect(page.getByRole("button", { name: "Notifications" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "No items in the shortlist." })).toBeVisible();
  await type(page, page.getByLabel("University"), "Leeds");
  await type(page, page.getByLabel("Course"), "Law");
  await type(page, page.getByLabel("URL"), "https://leeds.example/law");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("link", { name: "Visit" })).toBeVisible();
  // The form is empty for the next item.
  await expect(page.getByLabel("University")).toBeFocused();
  await page.keyboard.type("York");
  await type(page, page.getByLabel("Course"), "History");
  await type(page, page.getByLabel("URL"), "https://york.example/history");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("row")).toHaveCount(3);
  await press(page, page.getByRole("row", { name: "Leeds" }).getByRole("button", { name: "Remove" }));
  await press(page, dialog(page, "Remove item").getByRole("button", { name: "Remove" }));
  // The focus moves to the next item, but not to a button that a second press would trigger; after the last item it
  // moves to the screen.
  await expect(page.getByRole("row", { name: "York" })).toBeFocused();
  await press(page, page.getByRole("button", { name: "Remove" }));
  await press(page, dialog(page, "Remove item").getByRole("button", { name: "Remove" }));
  await expect(page.getByText("No items in the shortlist.")).toBeVisible();
  await expect(page.getByRole("main")).toBeFocused();

  const bell = page.getByRole("button", { name: "Notifications" });
  await tabTo(page, bell, "Shift+Tab");
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("link", { name: "All notifications" }));
  await page.keyboard.press("Escape");
  await expect(bell).toBeFocused();
  await page.keyboard.press("Enter");
  await press(page, page.getByRole("link", { name: "All notifications" }));
  await expect(page).toHaveURL("/notifications");
  await expect(page.getByRole("main")).toBeFocused();
  const rejected = page.getByRole("checkbox", { name: "A document was rejected" });
  await press(page, rejected, "Space");
  await expect(rejected).not.toBeChecked();
  await expect(rejected).toBeEnabled();
  await expect(rejected).toBeFocused();
});
