package main

import (
	"context"
	"os"
)

func Example() {
	if err := run(context.Background(), os.Stdout); err != nil {
		panic(err)
	}
	// Output:
	//  0 s  green
	// 10 s  yellow
	// 12 s  red
	// 20 s  green
	// 30 s  yellow
	// 32 s  red
	// 40 s  green
}
