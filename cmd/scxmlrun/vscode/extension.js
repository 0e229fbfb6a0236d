// An extension of Visual Studio Code. The work is done by the command scxmlrun.
'use strict';

const vscode = require('vscode');
const language = require('./language');

exports.activate = (context) => language.activate(context);
exports.deactivate = () => language.deactivate();
