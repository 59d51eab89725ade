import { dictionary } from "@zxcvbn-ts/language-common";

const common = new Set(dictionary["passwords-common"]);

/** Whether a password is among the well-known ones that everybody tries first, in any letter case. */
export const isCommonPassword = (password: string): boolean => common.has(password.toLowerCase());
