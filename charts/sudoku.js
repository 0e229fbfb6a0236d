// The functions that sudoku.scxml calls. They work on the chart's data items
// initState, currentState and undoStack. The code is ECMAScript 5, which every
// SCXML engine with this data model understands.

// isDigit reports whether v is one of the numbers 0 to 9.
function isDigit(v) {
    return typeof v === "number" && v % 1 === 0 && v >= 0 && v <= 9;
}

// isNine reports whether v is an array of nine items for which isItem is true.
function isNine(v, isItem) {
    if (!Array.isArray(v) || v.length !== 9) {
        return false;
    }
    for (var i = 0; i < 9; i++) { // every() would skip holes
        if (!isItem(v[i])) {
            return false;
        }
    }
    return true;
}

// isRow reports whether v is an array of 9 digits, isGrid whether it is one of 9 rows.
function isRow(v) {
    return isNine(v, isDigit);
}
function isGrid(v) {
    return isNine(v, isRow);
}

// isObject reports whether data can have fields: an event may have no data, or
// a number as its data.
function isObject(data) {
    return typeof data === "object" && data !== null;
}

// hasGrid reports whether the data of a setup event has a grid.
function hasGrid(data) {
    return isObject(data) && isGrid(data.initState);
}

// isTap reports whether data names a cell that the player may change.
function isTap(data) {
    return isObject(data) &&
        isDigit(data.x) && data.x < 9 &&
        isDigit(data.y) && data.y < 9 &&
        initState[data.x][data.y] === 0;
}

// isSet reports whether data names such a cell and a new value for it.
function isSet(data) {
    return isTap(data) && isDigit(data.value) && data.value !== currentState[data.x][data.y];
}

// restart starts a new game with the puzzle in initState.
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

// write changes a cell and keeps its old value for undo.
function write(x, y, value) {
    undoStack.push({ x: x, y: y, value: currentState[x][y] });
    currentState[x][y] = value;
}

function undo() {
    var last = undoStack.pop();
    currentState[last.x][last.y] = last.value;
}

// isSolved reports whether every row, column and box has all nine digits. It
// checks the rows first, which need not be collected, and begins at the bottom:
// players tend to fill a grid from the top, so that the first check nearly
// always fails.
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

// isComplete reports whether each of the digits 1 to 9 is among the nine numbers.
function isComplete(numbers) {
    for (var digit = 1; digit <= 9; digit++) {
        if (numbers.indexOf(digit) < 0) {
            return false;
        }
    }
    return true;
}
