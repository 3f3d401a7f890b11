package referee.client;

/** What a seat may propose. Every wager names the street total that it raises to, never an increment. */
public enum ActionKind {
    FOLD,
    CHECK,
    CALL,
    BET,
    RAISE,
    DISCARD,
    SHOW
}
