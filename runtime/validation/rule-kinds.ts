/** The kinds of rules. They are numbers because each step of the walk switches on them. */
export const kinds = {
  any: 0,
  null: 1,
  boolean: 2,
  string: 3,
  number: 4,
  integer: 5,
  value: 6,
  oneOf: 7,
  list: 8,
  map: 9,
  anyOf: 10,
  object: 11,
  response: 12,
  message: 13,
  late: 14,
  checked: 15,
} as const;
