package jsontext

import (
	"errors"
	"fmt"
	"math/big"
)

// MaxBigInt is how many bits a BigInt may have.
const MaxBigInt = 1 << 18

// ErrBigInt is what is wrong with a BigInt that has more than MaxBigInt bits.
var ErrBigInt = fmt.Errorf("has more than %d bits", MaxBigInt)

// ParseBigInt reads a decimal integer. That takes quadratic time, so that the
// length is looked at first.
func ParseBigInt(text string) (*big.Int, error) {
	if len(text) > MaxBigInt/3 { // a digit has 3.3 bits
		return nil, ErrBigInt
	}
	b, ok := new(big.Int).SetString(text, 10)
	switch {
	case !ok:
		return nil, errors.New("must be an integer in quotes")
	case b.BitLen() > MaxBigInt:
		return nil, ErrBigInt
	}
	return b, nil
}
