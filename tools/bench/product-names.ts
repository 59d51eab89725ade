/** Product names, most frequent first: the first of a list is as frequent as its last ten together. */
export const productWords = {
  electronics: {
    makers:
      "Samsung Apple Lenovo Dell HP Huawei Sony LG Asus Acer Xiaomi Nokia Motorola Canon Nikon Logitech JBL Bose Philips Anker Hisense Toshiba Epson Brother Garmin Kobo Sennheiser Fujitsu Zotac Razer Oppo Realme Honor Poco Tecno Itel Marshall Denon Yamaha Roku".split(
        " ",
      ),
    Phones: ["phone", "smartphone", "dual sim phone", "flip phone", "satellite phone"],
    Laptops: ["laptop", "notebook", "ultrabook", "gaming laptop", "convertible laptop"],
    Accessories: ["charger", "headphones", "keyboard", "power bank", "docking station", "webcam"],
  },
  fashion: {
    makers:
      "Nike Adidas Zara Levi's Puma Gucci Converse Vans Reebok Fila Lacoste Diesel Guess Hermes Prada Timberland Clarks Dune Barbour Burberry Carhartt Columbia Patagonia Salomon Merrell Skechers Umbro Kappa Champion Superdry Wrangler Dockers Benetton Mango Monsoon Boden Joules Toast Ghost Reiss".split(
        " ",
      ),
    Clothing: ["jacket", "dress", "denim jacket", "winter coat", "pullover", "silk scarf"],
    Shoes: ["trainers", "boots", "running shoes", "sandals", "brogues"],
    Accessories: ["handbag", "belt", "wallet", "sunglasses", "wrist watch", "umbrella"],
  },
  home: {
    makers:
      "Ikea Bosch Habitat Smeg Dualit Miele Siemens Kenwood Philips Ercol Heals Knoll Vitra Bodum Alessi Dyson Hoover Bissell Tefal Breville Russell Morphy DeLonghi Zanussi Beko Candy Neff Aga Rayburn Stanley Denby Wedgwood Spode Moorcroft Poole Portmeirion Emma Orla Sanderson Liberty".split(
        " ",
      ),
    Furniture: ["table", "writing desk", "bookcase", "armchair", "bed frame", "sideboard"],
    Appliances: ["kettle", "toaster", "vacuum cleaner", "washing machine", "coffee grinder"],
    Decor: ["lamp", "mirror", "rug", "wall clock", "picture frame", "vase"],
  },
} as const;

/** Colours, materials and the like. */
export const productManners =
  "black white vintage grey blue wooden leather red green oak walnut steel silver brass copper velvet linen marble bamboo teak ivory burgundy turquoise ochre lilac".split(
    " ",
  );

/** Ends of model names, which are rare with a letter and a number. */
export const productModels =
  "Pro Plus Mini Classic Max Studio Lite Original Sport Prime Ultra Heritage".split(" ");
