package datamodel

import (
	"errors"

	"github.com/scxmlrun/scxmlrun/datamodel/internal/jsontext"
)

// MaxDepth is how many levels of arrays, objects, elements, pointers and the
// like a piece of data may have. Deeper data is refused, and so is data that
// contains itself.
const MaxDepth = 500

// MaxBigInt is how many bits a BigInt may have that is data: 78,913 decimal
// digits. To read a longer one takes quadratic time. It is refused wherever data
// enters or leaves a session or is saved; what scripts compute is not bounded by it.
const MaxBigInt = jsontext.MaxBigInt

// ErrScriptTime is the cause of an [EvalError] when a script ran longer than
// [Host].ScriptTime allows.
var ErrScriptTime = errors.New("script time limit exceeded")

// ErrMacrostepTime is the cause of an [EvalError] when the evaluations of one
// macrostep together take longer than [Host].MacrostepTime allows.
var ErrMacrostepTime = errors.New("script time limit of the macrostep exceeded")
