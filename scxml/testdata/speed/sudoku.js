// The functions that sudoku.scxml calls. The data they work on belongs to the
// chart: initState, currentState and undoStack. The code is ECMAScript 5, which
// every SCXML engine with this data model understands.

// isDigit tells whether v is one of the numbers 0 to 9.
function isDigit(v) {
    return typeof v === "number" && v % 1 === 0 && v >= 0 && v <= 9;
}

// isNine tells whether v is an array of nine items that all pass the test isItem.
function isNine(v, isItem) {
    if (!Array.isArray(v) || v.length !== 9) {
        return false;
    }
    for (var i = 0; i < 9; i++) { // and not every(), which passes over holes
        if (!isItem(v[i])) {
            return false;
        }
    }
    return true;
}

// isRow and isGrid tell whether v is an array of 9 digits, and of 9 such rows.
function isRow(v) {
    return isNine(v, isDigit);
}
function isGrid(v) {
    return isNine(v, isRow);
}

// isObject tells whether fields of data can be read at all: an event may come
// without data, or with a number for data.
function isObject(data) {
    return typeof data === "object" && data !== null;
}

// hasGrid tells whether the data of a setup event is of use.
function hasGrid(data) {
    return isObject(data) && isGrid(data.initState);
}

// isTap tells whether data names a cell that the player may change.
function isTap(data) {
    return isObject(data) &&
        isDigit(data.x) && data.x < 9 &&
        isDigit(data.y) && data.y < 9 &&
        initState[data.x][data.y] === 0;
}

// isSet tells whether data names such a cell and a new value for it.
function isSet(data) {
    return isTap(data) && isDigit(data.value) && data.value !== currentState[data.x][data.y];
}

// restart begins a new game with the puzzle in initState.
function restart() {
    if (!isGrid(initState)) {
        initState = emptyGrid();
    }
    currentState = initState.map(function (row) {
        return row.slice();
    });
    undoStack = [];
}

function emptyGrid() {
    var grid = [];
    for (var x = 0; x < 9; x++) {
        grid.push([0, 0, 0, 0, 0, 0, 0, 0, 0]);
    }
    return grid;
}

function tap(cell) {
    write(cell.x, cell.y, (currentState[cell.x][cell.y] + 1) % 10);
}

function set(cell) {
    write(cell.x, cell.y, cell.value);
}

// write changes a cell and remembers what was there, for undo.
function write(x, y, value) {
    undoStack.push({ x: x, y: y, value: currentState[x][y] });
    currentState[x][y] = value;
}

function undo() {
    var last = undoStack.pop();
    currentState[last.x][last.y] = last.value;
}

// isSolved tells whether every row, column and box has all nine digits. The
// rows are there already and come first, those from below before the others,
// because who fills a grid tends to begin at its top: nearly always the first
// that is asked says no.
function isSolved() {
    for (var x = 8; x >= 0; x--) {
        if (!isComplete(currentState[x])) {
            return false;
        }
    }
    for (var i = 0; i < 9; i++) {
        var column = [], box = [];
        for (var j = 0; j < 9; j++) {
            column.push(currentState[j][i]);
            box.push(currentState[3 * Math.floor(i / 3) + Math.floor(j / 3)][3 * (i % 3) + j % 3]);
        }
        if (!isComplete(column) || !isComplete(box)) {
            return false;
        }
    }
    return true;
}

// isComplete tells whether each of the digits 1 to 9 is among the nine numbers.
function isComplete(numbers) {
    for (var digit = 1; digit <= 9; digit++) {
        if (numbers.indexOf(digit) < 0) {
            return false;
        }
    }
    return true;
}
