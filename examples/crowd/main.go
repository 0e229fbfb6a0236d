// Crowd steps 5,000 characters of a game, each of which is a compiled chart, character.scxml.
//
//	go run ./examples/crowd
//
// prints how long a frame takes, and what the characters are doing.
//
// # How it works
//
// A [Machine] is a small struct without pointers to what it does not use, and one that nobody watches needs no hooks:
// its zero value is a machine that is not started. So the crowd is a slice of machines, and a frame is a loop over it.
// An event allocates nothing.
package main

import (
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"time"
)

//go:generate go run github.com/scxmlrun/scxmlrun/cmd/scxmlrun gen go character.scxml -o character_gen.go

func main() {
	characters := flag.Int("characters", 5000, "number of characters")
	frames := flag.Int("frames", 2000, "number of frames")
	flag.Parse()
	c, err := newCrowd(*characters, 1)
	if err != nil {
		log.Fatal(err)
	}
	began := time.Now()
	for range *frames {
		c.frame()
	}
	took := time.Since(began) / time.Duration(max(*frames, 1))
	fmt.Printf("%d characters: %v a frame, %.0f frames a second\n", *characters, took, 1/took.Seconds())
	doing := map[State]int{}
	for i := range c.characters {
		for _, s := range c.characters[i].Configuration() {
			doing[s]++
		}
	}
	for _, s := range []State{Idle, Wander, Chase, Flee, Hurt, Dead} {
		fmt.Printf("%6d %v\n", doing[s], s)
	}
}

// A crowd is the characters of a game.
type crowd struct {
	characters []Machine
	rng        *rand.Rand // what happens to them
}

func newCrowd(n int, seed uint64) (*crowd, error) {
	c := &crowd{make([]Machine, n), rand.New(rand.NewPCG(seed, 1))}
	for i := range c.characters {
		if err := c.characters[i].Start(time.Time{}); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// frame steps all characters. Something happens to one of a hundred.
func (c *crowd) frame() {
	for range len(c.characters) / 100 {
		m := &c.characters[c.rng.IntN(len(c.characters))]
		switch n := c.rng.IntN(100); {
		case n < 50:
			m.See()
		case n < 90:
			m.Lose()
		case n < 95:
			m.Hit(Hit{Points: 30.0})
		default:
			m.Heal()
		}
	}
	for i := range c.characters {
		c.characters[i].Frame()
	}
}
