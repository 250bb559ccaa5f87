// States of a pair in place of its colour: it has no contacts, and it waits for one.
const NOTHING = 0xffffffffu;
const WAITS = 0xfffffffeu;
