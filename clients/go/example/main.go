// Command example plays Irish, hold'em and their relatives, and Kozel: plainly (--bot plain), or as a test
// table's name wishes (--bot conformance).
package main

import (
	"irish.example/referee"
	"irish.example/referee/botmain"
)

func main() {
	botmain.MainOf(
		botmain.Named{Name: "plain", Bot: referee.Simple(plain), Kozel: referee.SimpleKozel(plainKozel)},
		botmain.Named{
			Name: "conformance", Bot: referee.Simple(conformance), Kozel: referee.SimpleKozel(conformanceKozel),
		},
	)
}
