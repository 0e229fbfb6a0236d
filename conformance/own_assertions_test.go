package conformance_test

import (
	"slices"
	"strings"
)

// An ownAssertion is an assertion of the W3C's manifest of 2015: its id and
// its section of the REC.
type ownAssertion struct{ ID, Section string }

// ownAssertions returns the assertions in the order of their ids. Each of them
// needs at least one of our own documents.
func ownAssertions() []ownAssertion {
	var all []ownAssertion
	for _, s := range assertions {
		for id := range strings.FieldsSeq(s.ids) {
			all = append(all, ownAssertion{id, s.section})
		}
	}
	slices.SortFunc(all, func(a, b ownAssertion) int { return strings.Compare(a.ID, b.ID) })
	return all
}

var assertions = []struct{ section, ids string }{
	{"3.2", "355 576"},
	{"3.3", "364"},
	{"3.7", "372 570"},
	{"3.8", "375 376"},
	{"3.9", "377 378"},
	{"3.10", "387 388 579 580"},
	{"3.12", "396 399 401 402"},
	{"3.13", "403 404 405 406 407 409 411 412 413 415 416 417 419 421 422 423 503 504 505 506 533"},
	{"4.2", "144"},
	{"4.3", "147 148 149"},
	{"4.6", "150 151 152 153 155 156 525"},
	{"4.9", "158 159"},
	{"5.3", "276 277 279 280 550 551 552"},
	{"5.4", "286 287 487"},
	{"5.5", "294"},
	{"5.6", "527 528 529"},
	{"5.7", "298 343 488"},
	{"5.8", "301 302 303 304"},
	{"5.9", "307 309 310 311 312 313 314 344"},
	{"5.10", "318 319 321 322 323 324 325 326 329 330 331 332 333 335 336 337 338 339 342 346"},
	{"6.2", "172 173 174 175 176 178 179 183 185 186 187 194 198 199 200 201 205 521 553"},
	{"6.3", "207 208 210"},
	{"6.4", `215 216 220 223 224 225 226 228 229 230 232 233 234 235 236 237 239 240 241 242 243 244 245 247 250
		252 253 530 554`},
	{"B.1", "436"},
	{"B.2", "278 444 445 446 448 449 451 452 453 456 457 459 460 557 558 560 561 562 569 578"},
	{"C.1", "189 190 191 192 193 347 348 349 350 351 352 354 495 496 500 501"},
	{"C.2", "509 510 513 518 519 520 522 531 532 534 567 577"},
}
