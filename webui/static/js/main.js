// The page's scripts: the same forms that work without them, sent in the background.
import { startBoard } from "./board.js";
import { restore } from "./keep.js";
import { startPhoto } from "./photo.js";
import { startShoot } from "./shoot.js";

startShoot();
startBoard();
startPhoto();
void restore();
