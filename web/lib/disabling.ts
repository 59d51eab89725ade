/** The texts for disabling and enabling any account. */
export const disablingQuestion = (name: string) => ({
  title: "Disable account",
  text: `${name} will be logged out right away and can't log in until the account is enabled again.`,
  action: "Disable",
});
export const enablingQuestion = (name: string) => ({
  title: "Enable account",
  text: `${name} will be able to log in again.`,
  harmless: true,
  action: "Enable",
});
export const isDisabledNow = (name: string): string => `${name} is disabled.`;
export const isEnabledAgain = (name: string): string => `${name} is enabled again.`;
