-- A text without accents and letter case, as searches compare it. unaccent() only counts as stable because its rules could
-- be changed, which nobody does here.
CREATE FUNCTION folded(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN lower(unaccent('unaccent'::regdictionary, normalize($1, NFC)));--> statement-breakpoint
-- The name by which a country is sorted: domain/country.ts names it for people. Texts that are no codes stand for themselves.
CREATE FUNCTION country_name(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN coalesce('{
	"AD": "Andorra", "AE": "United Arab Emirates", "AF": "Afghanistan", "AG": "Antigua & Barbuda", "AI": "Anguilla",
	"AL": "Albania", "AM": "Armenia", "AO": "Angola", "AQ": "Antarctica", "AR": "Argentina", "AS": "American Samoa",
	"AT": "Austria", "AU": "Australia", "AW": "Aruba", "AX": "Åland Islands", "AZ": "Azerbaijan",
	"BA": "Bosnia & Herzegovina", "BB": "Barbados", "BD": "Bangladesh", "BE": "Belgium", "BF": "Burkina Faso",
	"BG": "Bulgaria", "BH": "Bahrain", "BI": "Burundi", "BJ": "Benin", "BL": "St. Barthélemy", "BM": "Bermuda",
	"BN": "Brunei", "BO": "Bolivia", "BQ": "Caribbean Netherlands", "BR": "Brazil", "BS": "Bahamas", "BT": "Bhutan",
	"BV": "Bouvet Island", "BW": "Botswana", "BY": "Belarus", "BZ": "Belize", "CA": "Canada",
	"CC": "Cocos (Keeling) Islands", "CD": "Congo - Kinshasa", "CF": "Central African Republic",
	"CG": "Congo - Brazzaville", "CH": "Switzerland", "CI": "Côte d’Ivoire", "CK": "Cook Islands", "CL": "Chile",
	"CM": "Cameroon", "CN": "China", "CO": "Colombia", "CR": "Costa Rica", "CU": "Cuba", "CV": "Cape Verde",
	"CW": "Curaçao", "CX": "Christmas Island", "CY": "Cyprus", "CZ": "Czechia", "DE": "Germany", "DJ": "Djibouti",
	"DK": "Denmark", "DM": "Dominica", "DO": "Dominican Republic", "DZ": "Algeria", "EC": "Ecuador", "EE": "Estonia",
	"EG": "Egypt", "EH": "Western Sahara", "ER": "Eritrea", "ES": "Spain", "ET": "Ethiopia", "FI": "Finland", "FJ": "Fiji",
	"FK": "Falkland Islands", "FM": "Micronesia", "FO": "Faroe Islands", "FR": "France", "GA": "Gabon",
	"GB": "United Kingdom", "GD": "Grenada", "GE": "Georgia", "GF": "French Guiana", "GG": "Guernsey", "GH": "Ghana",
	"GI": "Gibraltar", "GL": "Greenland", "GM": "Gambia", "GN": "Guinea", "GP": "Guadeloupe", "GQ": "Equatorial Guinea",
	"GR": "Greece", "GS": "South Georgia & South Sandwich Islands", "GT": "Guatemala", "GU": "Guam", "GW": "Guinea-Bissau",
	"GY": "Guyana", "HK": "Hong Kong SAR China", "HM": "Heard & McDonald Islands", "HN": "Honduras", "HR": "Croatia",
	"HT": "Haiti", "HU": "Hungary", "ID": "Indonesia", "IE": "Ireland", "IL": "Israel", "IM": "Isle of Man", "IN": "India",
	"IO": "British Indian Ocean Territory", "IQ": "Iraq", "IR": "Iran", "IS": "Iceland", "IT": "Italy", "JE": "Jersey",
	"JM": "Jamaica", "JO": "Jordan", "JP": "Japan", "KE": "Kenya", "KG": "Kyrgyzstan", "KH": "Cambodia", "KI": "Kiribati",
	"KM": "Comoros", "KN": "St. Kitts & Nevis", "KP": "North Korea", "KR": "South Korea", "KW": "Kuwait",
	"KY": "Cayman Islands", "KZ": "Kazakhstan", "LA": "Laos", "LB": "Lebanon", "LC": "St. Lucia", "LI": "Liechtenstein",
	"LK": "Sri Lanka", "LR": "Liberia", "LS": "Lesotho", "LT": "Lithuania", "LU": "Luxembourg", "LV": "Latvia",
	"LY": "Libya", "MA": "Morocco", "MC": "Monaco", "MD": "Moldova", "ME": "Montenegro", "MF": "St. Martin",
	"MG": "Madagascar", "MH": "Marshall Islands", "MK": "North Macedonia", "ML": "Mali", "MM": "Myanmar (Burma)",
	"MN": "Mongolia", "MO": "Macao SAR China", "MP": "Northern Mariana Islands", "MQ": "Martinique", "MR": "Mauritania",
	"MS": "Montserrat", "MT": "Malta", "MU": "Mauritius", "MV": "Maldives", "MW": "Malawi", "MX": "Mexico",
	"MY": "Malaysia", "MZ": "Mozambique", "NA": "Namibia", "NC": "New Caledonia", "NE": "Niger", "NF": "Norfolk Island",
	"NG": "Nigeria", "NI": "Nicaragua", "NL": "Netherlands", "NO": "Norway", "NP": "Nepal", "NR": "Nauru", "NU": "Niue",
	"NZ": "New Zealand", "OM": "Oman", "PA": "Panama", "PE": "Peru", "PF": "French Polynesia", "PG": "Papua New Guinea",
	"PH": "Philippines", "PK": "Pakistan", "PL": "Poland", "PM": "St. Pierre & Miquelon", "PN": "Pitcairn Islands",
	"PR": "Puerto Rico", "PS": "Palestinian Territories", "PT": "Portugal", "PW": "Palau", "PY": "Paraguay", "QA": "Qatar",
	"RE": "Réunion", "RO": "Romania", "RS": "Serbia", "RU": "Russia", "RW": "Rwanda", "SA": "Saudi Arabia",
	"SB": "Solomon Islands", "SC": "Seychelles", "SD": "Sudan", "SE": "Sweden", "SG": "Singapore", "SH": "St. Helena",
	"SI": "Slovenia", "SJ": "Svalbard & Jan Mayen", "SK": "Slovakia", "SL": "Sierra Leone", "SM": "San Marino",
	"SN": "Senegal", "SO": "Somalia", "SR": "Suriname", "SS": "South Sudan", "ST": "São Tomé & Príncipe",
	"SV": "El Salvador", "SX": "Sint Maarten", "SY": "Syria", "SZ": "Eswatini", "TC": "Turks & Caicos Islands",
	"TD": "Chad", "TF": "French Southern Territories", "TG": "Togo", "TH": "Thailand", "TJ": "Tajikistan", "TK": "Tokelau",
	"TL": "Timor-Leste", "TM": "Turkmenistan", "TN": "Tunisia", "TO": "Tonga", "TR": "Türkiye", "TT": "Trinidad & Tobago",
	"TV": "Tuvalu", "TW": "Taiwan", "TZ": "Tanzania", "UA": "Ukraine", "UG": "Uganda", "UM": "U.S. Outlying Islands",
	"US": "United States", "UY": "Uruguay", "UZ": "Uzbekistan", "VA": "Vatican City", "VC": "St. Vincent & Grenadines",
	"VE": "Venezuela", "VG": "British Virgin Islands", "VI": "U.S. Virgin Islands", "VN": "Vietnam", "VU": "Vanuatu",
	"WF": "Wallis & Futuna", "WS": "Samoa", "YE": "Yemen", "YT": "Mayotte", "ZA": "South Africa", "ZM": "Zambia",
	"ZW": "Zimbabwe"
}'::jsonb ->> $1, $1);--> statement-breakpoint
-- Every name that a country was stored by: today's, and those that were on offer before and differ. Agents typed theirs.
CREATE TEMPORARY TABLE known_country ON COMMIT DROP AS
SELECT folded(name) AS name, code FROM (
	SELECT country_name(code) AS name, code FROM unnest(string_to_array('AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW', ' ')) code
	UNION
	SELECT * FROM (VALUES
		('Antigua and Barbuda', 'AG'), ('Bonaire, Sint Eustatius and Saba', 'BQ'), ('Bosnia and Herzegovina', 'BA'),
		('Cabo Verde', 'CV'), ('Congo', 'CG'), ('Congo, Democratic Republic of the', 'CD'), ('Côte d''Ivoire', 'CI'),
		('Heard Island and McDonald Islands', 'HM'), ('Holy See', 'VA'), ('Hong Kong', 'HK'), ('Macao', 'MO'),
		('Myanmar', 'MM'), ('Palestine', 'PS'), ('Pitcairn', 'PN'), ('Saint Barthélemy', 'BL'),
		('Saint Helena, Ascension and Tristan da Cunha', 'SH'), ('Saint Kitts and Nevis', 'KN'), ('Saint Lucia', 'LC'),
		('Saint Martin', 'MF'), ('Saint Pierre and Miquelon', 'PM'), ('Saint Vincent and the Grenadines', 'VC'),
		('São Tomé and Príncipe', 'ST'), ('South Georgia and the South Sandwich Islands', 'GS'),
		('Svalbard and Jan Mayen', 'SJ'), ('Trinidad and Tobago', 'TT'), ('Turks and Caicos Islands', 'TC'),
		('United States Minor Outlying Islands', 'UM'), ('Virgin Islands (British)', 'VG'), ('Virgin Islands (U.S.)', 'VI'),
		('Wallis and Futuna', 'WF')
	) former
) named;--> statement-breakpoint
UPDATE "user" SET "country" = known_country.code FROM known_country WHERE folded(btrim("user"."country")) = known_country.name;--> statement-breakpoint
UPDATE "profile" SET "citizenship" = known_country.code FROM known_country WHERE folded("profile"."citizenship") = known_country.name;--> statement-breakpoint
-- Beside the names, which nodes of the version before still read and write.
ALTER TABLE "application" ALTER COLUMN "countries" SET DEFAULT '{}';--> statement-breakpoint
ALTER TABLE "application" ADD COLUMN "country_codes" text[];--> statement-breakpoint
UPDATE "application" SET "country_codes" = array(
	SELECT coalesce(known_country.code, stored.name) FROM unnest("application"."countries") WITH ORDINALITY stored(name, place)
	LEFT JOIN known_country ON folded(stored.name) = known_country.name ORDER BY stored.place);--> statement-breakpoint
DROP INDEX "user_by_country";--> statement-breakpoint
CREATE INDEX "user_by_country" ON "user" USING btree ("role",lower(country_name("country")),"id");--> statement-breakpoint
-- Its index goes with it.
ALTER TABLE "user" DROP COLUMN "search_text";--> statement-breakpoint
ALTER TABLE "user" ADD COLUMN "search_text" text GENERATED ALWAYS AS (folded(' ' || name || ' ' || email)) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "user_search_trigrams" ON "user" USING gin ("search_text" gin_trgm_ops) WHERE role = 'student';
