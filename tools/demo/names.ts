/** A name as a consultancy meets them. `handle` replaces a name without Latin letters in an address. */
export type Name = { first: string; last: string; citizenship: string; handle?: string };

const long = "Featherstonehaughvandenbergfeatherstonehaughvandenbergfeathe";

/** Names that screens have to cope with: very long, of one letter, with accents, in other scripts. */
export const awkwardNames: readonly Name[] = [
  { first: "Þórunn", last: "Ævarsdóttir", citizenship: "IS", handle: "thorunn.aevarsdottir" },
  { first: "Maximiliana-Alexandra", last: "Featherstonehaugh-Vandenberg", citizenship: "GB" },
  { first: "O", last: "Å", citizenship: "NO", handle: "o" },
  { first: "José María", last: "de la Peña y Ibáñez", citizenship: "MX" },
  { first: "娜", last: "李", citizenship: "CN", handle: "li.na" },
  { first: "محمد", last: "العبدالله", citizenship: "SA", handle: "m.alabdullah" },
  {
    first: "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewis",
    last: long,
    citizenship: "DE",
    handle: "wolfeschlegelsteinhausenbergerdorff.featherstonehaughvandenberg",
  },
  { first: "Nguyễn", last: "Thị Ánh Nguyệt", citizenship: "VN" },
  { first: "Łukasz", last: "Święcicki", citizenship: "PL", handle: "lukasz.swiecicki" },
  { first: "Юлия", last: "Щербакова", citizenship: "KZ", handle: "y.shcherbakova" },
  { first: "Zoë", last: "D’Angelo-Núñez", citizenship: "PH" },
  { first: "I", last: "Ng", citizenship: "SG" },
];

type People = { citizenship: string; first: string; last: string };
/** First and last names that go together, by the people's citizenship. */
const people: readonly People[] = [
  {
    citizenship: "NG",
    first: "Chidi Ngozi Emeka Amara Tunde Folake Ifeoma Segun Zainab Obinna",
    last: "Eze Okafor Adeyemi Balogun Nwosu Abubakar Ogunlesi Chukwu",
  },
  {
    citizenship: "GH",
    first: "Kwame Abena Kofi Akosua Yaw Esi Kojo Adwoa",
    last: "Mensah Owusu Boateng Asante Appiah Danso",
  },
  {
    citizenship: "KE",
    first: "Wanjiru Otieno Achieng Kamau Njeri Kiprop Makena Baraka",
    last: "Kamau Odhiambo Mwangi Wambui Kipchoge Njoroge",
  },
  {
    citizenship: "ZA",
    first: "Thandi Sipho Lerato Bongani Naledi Pieter Ayanda Zanele",
    last: "Nkosi Dlamini Mokoena van_der_Merwe Naidoo Khumalo Botha",
  },
  {
    citizenship: "IN",
    first: "Priya Arjun Ananya Rohan Kavya Vikram Meera Ishaan Divya Aditya",
    last: "Nair Sharma Iyer Patel Reddy Banerjee Menon Kaur",
  },
  {
    citizenship: "PK",
    first: "Ayesha Bilal Fatima Hamza Mahnoor Usman",
    last: "Khan Malik Qureshi Siddiqui Chaudhry",
  },
  {
    citizenship: "BR",
    first: "João Beatriz Thiago Larissa Mateus Camila",
    last: "Souza Gonçalves Conceição Araújo Teixeira",
  },
  {
    citizenship: "CO",
    first: "Valentina Andrés Sofía Julián Mariana Óscar",
    last: "Marín Gutiérrez Rincón Zuluaga Peñaloza",
  },
  {
    citizenship: "TR",
    first: "Elif Emre Zeynep Çağrı Ayşe Kerem",
    last: "Yılmaz Öztürk Şahin Doğan Kılıç",
  },
  {
    citizenship: "VN",
    first: "Minh Linh Tuấn Hương Quang Trang",
    last: "Nguyễn Trần Phạm Đặng Bùi",
  },
  {
    citizenship: "EG",
    first: "Youssef Nour Omar Salma Karim Habiba",
    last: "Hassan El-Sayed Mansour Abdelrahman Fahmy",
  },
  {
    citizenship: "UA",
    first: "Olena Taras Iryna Dmytro Kateryna Andriy",
    last: "Shevchenko Kovalenko Bondar Melnyk",
  },
];

const words = (text: string) => text.split(" ").map((word) => word.replaceAll("_", " "));

/** Every first name with every last name that it goes with, about six hundred. */
export const plainNames: readonly Name[] = people.flatMap(({ citizenship, first, last }) =>
  words(first).flatMap((firstName) =>
    words(last).map((lastName) => ({ first: firstName, last: lastName, citizenship })),
  ),
);

export const agencies: readonly string[] = [
  "Study Bridge International",
  "Harbour Education",
  "Meridian Admissions",
  "Campus Compass",
  "Baobab Study Abroad",
  "Silk Road Scholars",
  "Andes & Isles",
  "Blue Lagoon Advisers",
  "Rindfleischetikettierungsueberwachungsaufgabenuebertragungsgesetz",
  "A1",
];

export const cities: readonly string[] = [
  "Lagos",
  "Accra",
  "Nairobi",
  "Johannesburg",
  "Kochi",
  "Lahore",
  "São Paulo",
  "Medellín",
  "İzmir",
  "Hà Nội",
  "Cairo",
  "Lviv",
];
