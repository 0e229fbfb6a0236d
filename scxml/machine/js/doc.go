// Package js is ECMAScript for compiled charts: values, operators, and the functions of its library that
// expressions use. Results are those of ECMA-262 to the last bit, but for the last digit of **, which the language
// leaves open. Of its names a program needs [Value], [Fields] and [Null] only; the others are for generated code.
package js
